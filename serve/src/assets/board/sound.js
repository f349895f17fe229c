// @ts-check
// Sounds, made when they are needed: short clicks of noise and low tones, as wood makes them.
import { setting } from "../common/settings.js";

/** @type {AudioContext | null} */
let context = null;
/** @type {AudioBuffer | null} */
let noise = null;

// A browser lets a page sound once somebody has touched it.
if (typeof addEventListener === "function") {
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake, { once: true });
}

function wake() {
  if (context || typeof AudioContext === "undefined") return;
  context = new AudioContext();
  noise = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
  const samples = noise.getChannelData(0);
  // Fixed noise: the same sound each time.
  let seed = 1;
  for (let i = 0; i < samples.length; i += 1) {
    seed = (seed * 16807) % 2147483647;
    samples[i] = seed / 1073741823.5 - 1;
  }
}

/**
 * A click of wood.
 * @param {number} after seconds
 * @param {number} pitch hertz
 * @param {number} loud
 * @param {number} long seconds
 */
function knock(after, pitch, loud, long) {
  if (!context || !noise) return;
  const at = context.currentTime + after;
  const source = context.createBufferSource();
  source.buffer = noise;
  const band = context.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = 3;
  const gain = context.createGain();
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + long);
  source.connect(band).connect(gain).connect(context.destination);
  source.start(at);
  source.stop(at + long);
}

/**
 * A tone that fades.
 * @param {number} after
 * @param {number} pitch
 * @param {number} loud
 * @param {number} long
 */
function tone(after, pitch, loud, long) {
  if (!context) return;
  const at = context.currentTime + after;
  const source = context.createOscillator();
  source.type = "triangle";
  source.frequency.value = pitch;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + long);
  source.connect(gain).connect(context.destination);
  source.start(at);
  source.stop(at + long);
}

/** @type {Record<string, () => void>} */
const SOUNDS = {
  move: () => knock(0, 900, 0.5, 0.07),
  hit: () => {
    knock(0, 500, 0.8, 0.1);
    knock(0.05, 800, 0.5, 0.08);
  },
  off: () => knock(0, 1500, 0.4, 0.09),
  roll: () => [0, 0.06, 0.11, 0.19, 0.24].forEach((after, i) => knock(after, 1700 + 250 * (i % 3), 0.35 - 0.04 * i, 0.05)),
  cube: () => {
    knock(0, 350, 0.9, 0.14);
    tone(0.02, 220, 0.12, 0.3);
  },
  win: () => [392, 494, 587, 784].forEach((pitch, i) => tone(0.11 * i, pitch, 0.14, 0.5)),
  lose: () => [330, 262].forEach((pitch, i) => tone(0.18 * i, pitch, 0.12, 0.6)),
  turn: () => tone(0, 660, 0.05, 0.15),
};

/** Plays a sound, unless the person has muted the pages. @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (setting("sound") !== "on" || !context || document.hidden) return;
  if (context.state === "suspended") context.resume();
  SOUNDS[name]?.();
}
