// All words in German, joined from a file for each page.
import common from "./de/common.js";
import play from "./de/play.js";
import analyse from "./de/analyse.js";
import why from "./de/why.js";
import scores from "./de/scores.js";
import position from "./de/position.js";
import practise from "./de/practise.js";
import train from "./de/train.js";
import bot from "./de/bot.js";
import api from "./de/api.js";

export default Object.freeze({
  ...common,
  ...play,
  ...analyse,
  ...why,
  ...scores,
  ...position,
  ...practise,
  ...train,
  ...bot,
  ...api,
});
