// @ts-check
// The packed parts of the file: gzip in a text of 31 bits in two characters.

/** The first character, and how many there are. */
const FIRST = 0x100,
  CHARACTERS = 46341;

/**
 * The bytes of a text.
 *
 * @param {string} text
 * @param {number} length
 */
export function bytesOf(text, length) {
  const bytes = new Uint8Array(length);
  let at = 0,
    sum = 0,
    bits = 0;
  const take = (/** @type {number} */ value, /** @type {number} */ width) => {
    sum = (sum << width) | value;
    bits += width;
    while (bits >= 8) {
      bits -= 8;
      if (at < length) bytes[at++] = sum >> bits;
      sum &= (1 << bits) - 1;
    }
  };
  for (let i = 0; i < text.length; i += 2) {
    const group = (text.charCodeAt(i) - FIRST) * CHARACTERS + text.charCodeAt(i + 1) - FIRST;
    take(group >> 15, 16);
    take(group & 0x7fff, 15);
  }
  return bytes;
}

/**
 * A packed part of the document.
 *
 * @param {string} id
 */
export async function unpacked(id) {
  const part = /** @type {HTMLElement} */ (document.getElementById(id));
  const packed = bytesOf(part.textContent ?? "", Number(part.dataset.bytes));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  // The bytes of floats lie apart, first ones first, which packs better.
  for (const [from, floats] of JSON.parse(part.dataset.planes ?? "[]")) {
    const planes = bytes.slice(from, from + 4 * floats);
    for (let i = 0; i < floats; i++)
      for (let k = 0; k < 4; k++) bytes[from + 4 * i + k] = planes[k * floats + i];
  }
  part.remove();
  return bytes;
}
