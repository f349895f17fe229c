// @ts-check
// What has happened, in words and in movement.
import { hasCube } from "../common/cube-words.js";
import { setting } from "../common/settings.js";
import { t } from "../common/words.js";
import { colourBelow, colourIn, scoreOf } from "./seats.js";
import { flipped, offOf, unmoved } from "../board/position.js";

/** @typedef {import("./views.js").MatchEvent} MatchEvent */
/** @typedef {import("./views.js").MatchView} MatchView */
/**
 * A play of the opponent, to be shown again.
 *
 * @typedef {{ before: readonly number[]; dice: [number, number]; steps: [number, number][] }} Seen
 */

/**
 * The form of the words for a player: a person may be called "you".
 *
 * @param {string} name
 * @returns {import("./views.js").Who}
 */
export const personOf = (name) => (name.toLowerCase() === t("play.you") ? "you" : "nonet");

/**
 * An event in words.
 *
 * @param {MatchEvent} event
 * @param {MatchView} view
 * @param {boolean} forced Whether the person had no choice
 */
export function inWords(event, view, forced = false) {
  const what =
    event.what === "doubles" && (event.cube ?? 0) > 2
      ? "redoubles"
      : event.what !== "plays"
        ? event.what
        : !event.play
          ? "dances"
          : forced
            ? "only"
            : "plays";
  const now = scoreOf(view);
  const crawford = what === "opens" && view.rules.crawford ? ` ${t("play.crawfordOpens")}` : "";
  // Of two people, only who is called so is "you".
  if (view.two_people) {
    const mine = event.light === view.light;
    const name = view.names[(event.player === "you") === mine ? 0 : 1];
    const other = view.names[(event.player === "you") === mine ? 1 : 0];
    if (what === "opens")
      return (
        t("play.event.opens.two", {
          name,
          other,
          high: event.dice?.[0] ?? 0,
          low: event.dice?.[1] ?? 0,
        }) + crawford
      );
    const kind = personOf(name);
    const score = (event.player === kind) === mine ? now : [now[1], now[0]];
    return t(`play.event.${what}.${kind}`, {
      name,
      dice: event.dice?.join("") ?? "",
      play: event.play ?? "",
      value: event.cube ?? "",
      n: event.points ?? 0,
      own: score[0],
      other: score[1],
    });
  }
  const dice = event.dice?.join("") ?? "";
  return (
    t(`play.event.${what}.${event.player}`, {
      name: view.names[1],
      dice,
      high: dice[0] ?? "",
      low: dice[1] ?? "",
      play: event.play ?? "",
      value: event.cube ?? "",
      n: event.points ?? 0,
      own: now[0],
      other: now[1],
    }) + crawford
  );
}

/** Milliseconds that the opponent seems to think. */
const thinking = () => ({ slow: 1100, normal: 450, fast: 0 })[setting("pace")] ?? 450;

/**
 * A play of the opponent: the dice roll, it thinks, the checkers go.
 *
 * @param {import("../board/motion.js").Motion} motion
 * @param {MatchEvent} event
 */
async function theirPlay(motion, event) {
  if (!event.dice) return;
  await motion.roll(event.dice, false);
  await motion.pause(event.steps.length ? thinking() : 700);
  await motion.play(event.steps, false);
}

/**
 * Shows the events since the person's last decision, one after the other.
 *
 * - `live`: whether the board is as it was before the first event.
 * - `made`: whether the person has made the first play on the board.
 * - `told` gets the words of each event, and those of the log.
 * - `placed` is called when the checkers of a play lie.
 * - `forced` is called for a play of the person without a choice, and lets the person read it.
 * - `isWanted`: whether the match is still shown. Nothing more happens once it was left.
 *
 * @param {import("../board/motion.js").Motion} motion
 * @param {MatchView} view
 * @param {{
 *   live: boolean;
 *   made: boolean;
 *   told: (words: string, event: MatchEvent, logged: string) => void;
 *   placed: () => void;
 *   forced: (event: MatchEvent) => Promise<void>;
 *   isWanted: () => boolean;
 * }} how
 * @returns {Promise<Seen[]>} The plays of the opponent
 */
export async function tellAll(motion, view, { live, made, told, placed, forced, isWanted }) {
  const { board } = motion;
  /** @type {Seen[]} */
  const seen = [];
  for (const [i, event] of view.events.entries()) {
    if (!isWanted()) return seen;
    if (view.two_people) turnTo(board, colourIn(view, event.light));
    const own = event.player === "you";
    const isForced = own && event.what === "plays" && !(made && i === 0);
    // That a play was the only one is not known when the match is opened again.
    told(inWords(event, view, isForced), event, inWords(event, view));
    switch (event.what) {
      case "opens":
        // A new game: the board as it begins.
        board.draw({
          board: event.board,
          off: [0, 0],
          cube: hasCube(view.rules) ? { value: 1, owner: null } : null,
        });
        placed();
        break;
      case "plays":
        if (own && !isForced) {
          // The person has just made it on the board.
          board.draw({ ...board.state, board: event.board, off: offOf(event.board), arrows: [] });
        } else if (own) {
          await motion.roll(event.dice ?? [1, 1], true);
          if (!isWanted()) return seen;
          await forced(event);
          if (!isWanted()) return seen;
          await motion.play(event.steps, true);
          await motion.pause(300);
        } else {
          // The board before it is that of the event before; a page that was just opened has not
          // seen it.
          const before =
            i > 0
              ? view.events[i - 1].board
              : live
                ? board.state.board
                : unmoved(event.board, event.steps);
          if (event.dice) seen.push({ before, dice: event.dice, steps: event.steps });
          await theirPlay(motion, event);
        }
        if (!isWanted()) return seen;
        board.draw({ ...board.state, board: event.board, off: offOf(event.board) });
        placed();
        break;
      case "doubles":
        // The person's own double is on the table already.
        if (!own)
          await motion.turn({
            value: (event.cube ?? 2) / 2,
            owner: "you",
            offered: event.cube ?? 2,
            to: "you",
          });
        break;
      case "takes":
      case "beavers":
        await motion.turn({ value: event.cube ?? 1, owner: event.player });
        break;
      default:
        break;
    }
  }
  if (view.two_people && isWanted()) turnTo(board, colourBelow(view));
  return seen;
}

/**
 * The board is turned to the other of two people.
 *
 * @param {import("../board/board.js").Board} board
 * @param {import("../common/settings.js").Colour} colour
 */
function turnTo(board, colour) {
  if (board.colour === colour) return;
  board.give(colour);
  const { board: now, cube } = board.state;
  const owner = cube?.owner
    ? /** @type {const} */ ({ you: "nonet", nonet: "you" })[cube.owner]
    : null;
  const turned = flipped(now);
  board.draw({
    board: turned,
    off: offOf(turned),
    cube: cube ? { ...cube, owner, to: cube.offered ? "you" : undefined } : cube,
  });
}

/**
 * Shows plays of the opponent again, and then the board as it is.
 *
 * @param {import("../board/motion.js").Motion} motion
 * @param {Seen[]} seen
 */
export async function replay(motion, seen) {
  const { board } = motion;
  const now = board.state;
  for (const one of seen) {
    board.draw({ board: one.before, off: offOf(one.before), cube: now.cube });
    await motion.roll(one.dice, false);
    await motion.pause(350);
    await motion.play(one.steps, false);
  }
  board.draw(now);
}
