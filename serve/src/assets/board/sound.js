// @ts-check
// Sounds, made when they are needed: short clicks of noise and low tones, as wood makes them.
import { setting } from "../common/settings.js";

/** @type {AudioContext | null} */
let context = null;
/** @type {WeakMap<BaseAudioContext, AudioBuffer>} */
const noises = new WeakMap();

// A browser lets a page sound once a person has touched it.
if (typeof addEventListener === "function") {
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake, { once: true });
}

function wake() {
  if (context || typeof AudioContext === "undefined") return;
  context = new AudioContext();
}

/**
 * Fixed noise: the same sound each time.
 *
 * @param {BaseAudioContext} audio
 */
function noiseOf(audio) {
  const known = noises.get(audio);
  if (known) return known;
  const noise = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate);
  const samples = noise.getChannelData(0);
  let seed = 1;
  for (let i = 0; i < samples.length; i += 1) {
    seed = (seed * 16807) % 2147483647;
    samples[i] = seed / 1073741823.5 - 1;
  }
  noises.set(audio, noise);
  return noise;
}

/** The band lets through about a fifth of the noise: with this, a click is as loud as it says. */
const THROUGH = 5;

/**
 * A click of wood.
 *
 * @param {BaseAudioContext} audio
 * @param {number} after Seconds
 * @param {number} pitch Hertz
 * @param {number} loud
 * @param {number} long Seconds
 */
function knock(audio, after, pitch, loud, long) {
  const at = audio.currentTime + after;
  const source = audio.createBufferSource();
  source.buffer = noiseOf(audio);
  const band = audio.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = 3;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(THROUGH * loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + long);
  source.connect(band).connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + long);
}

/**
 * A tone that fades.
 *
 * @param {BaseAudioContext} audio
 * @param {number} after
 * @param {number} pitch
 * @param {number} loud
 * @param {number} long
 */
function tone(audio, after, pitch, loud, long) {
  const at = audio.currentTime + after;
  const source = audio.createOscillator();
  source.type = "triangle";
  source.frequency.value = pitch;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + long);
  source.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + long);
}

/** @type {Readonly<Record<string, (audio: BaseAudioContext) => void>>} */
export const SOUNDS = Object.freeze({
  move: (audio) => knock(audio, 0, 900, 0.5, 0.07),
  hit: (audio) => {
    knock(audio, 0, 500, 0.8, 0.1);
    knock(audio, 0.05, 800, 0.5, 0.08);
  },
  off: (audio) => knock(audio, 0, 1500, 0.4, 0.09),
  roll: (audio) =>
    [0, 0.06, 0.11, 0.19, 0.24].forEach((after, i) =>
      knock(audio, after, 1700 + 250 * (i % 3), 0.35 - 0.04 * i, 0.05),
    ),
  cube: (audio) => {
    knock(audio, 0, 350, 0.9, 0.14);
    tone(audio, 0.02, 220, 0.2, 0.3);
  },
  win: (audio) =>
    [392, 494, 587, 784].forEach((pitch, i) => tone(audio, 0.11 * i, pitch, 0.28, 0.5)),
  lose: (audio) => [330, 262].forEach((pitch, i) => tone(audio, 0.18 * i, pitch, 0.24, 0.6)),
});

/**
 * Plays a sound, unless the person has muted the pages.
 *
 * @param {string} name
 */
export function play(name) {
  if (setting("sound") !== "on" || !context || document.hidden) return;
  if (context.state === "suspended") context.resume();
  SOUNDS[name]?.(context);
}
