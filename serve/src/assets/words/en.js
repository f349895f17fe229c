// All words in English, joined from a file for each page.
import common from "./en/common.js";
import play from "./en/play.js";
import analyse from "./en/analyse.js";
import why from "./en/why.js";
import scores from "./en/scores.js";
import position from "./en/position.js";
import practise from "./en/practise.js";
import train from "./en/train.js";
import bot from "./en/bot.js";
import api from "./en/api.js";

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
