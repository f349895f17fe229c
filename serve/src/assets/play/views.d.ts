// What the server answers about matches; its OpenAPI document says more.

export type Who = "you" | "nonet";

export interface MatchEvent {
  player: Who;
  what:
    | "opens"
    | "plays"
    | "doubles"
    | "takes"
    | "passes"
    | "beavers"
    | "resigns"
    | "wins-game"
    | "wins-match";
  words: string;
  dice: [number, number] | null;
  play: string | null;
  points: number | null;
  cube: number | null;
  steps: [number, number][];
  light: boolean;
  board: number[];
}

export interface Chances {
  win: number;
  equity: number;
}

export interface PlayView {
  play: string;
  board: number[];
  evaluation: Chances;
}

export interface MatchView {
  id: string;
  revision: number;
  names: [string, string];
  two_people: boolean;
  light: boolean;
  level: string;
  plies: number;
  cube_plies: number;
  net: string;
  rules: { length: number | null; crawford: boolean; jacoby: boolean; beavers: boolean };
  score: [number, number];
  game: number;
  board: number[];
  off: [number, number];
  pips: [number, number];
  cube: { value: number; owner: Who | null; offered: number | null };
  turn: "roll" | "play" | "answer" | "next-game" | "over";
  dice: [number, number] | null;
  plays: PlayView[];
  may_double: boolean;
  may_beaver: boolean;
  may_undo: boolean;
  winner: Who | null;
  evaluation: Chances | null;
  xgid: string;
  events: MatchEvent[];
}

export interface MatchRow {
  id: string;
  names: [string, string];
  score: [number, number];
  length: number | null;
  level: string;
  over: boolean;
}

export interface CourseRow {
  game: number;
  player: Who;
  dice: [number, number];
  play: string;
  /** As in `MatchEvent`. */
  steps: [number, number][];
  board: number[];
  win: number;
  /** The chance to win the match; null for money. */
  match_win: number | null;
}

export interface CourseCall {
  game: number;
  player: Who;
  what: "doubles" | "takes" | "passes" | "beavers" | "resigns";
  /** The new value of a cube that was turned. */
  value: number | null;
  /** How many plays of the match were before it. */
  plays: number;
}

export interface GameRow {
  game: number;
  winner: Who | null;
  points: number;
  /** The chance to win the match after the game; null for money. */
  match_win: number | null;
}

export interface Course {
  games: GameRow[];
  plays: CourseRow[];
  calls: CourseCall[];
}
