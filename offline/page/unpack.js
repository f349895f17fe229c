// @ts-check
// The packed parts of the file: gzip in a text of seven bits a character.

/** Characters that HTML would change; each stands with the next seven bits in a character above 255. */
const ESCAPED = [0, 10, 13, 60];

/** The bytes of a text. @param {string} text @param {number} length */
export function bytesOf(text, length) {
  const bytes = new Uint8Array(length);
  let at = 0, sum = 0, bits = 0;
  const take = (/** @type {number} */ seven) => {
    sum = (sum << 7) | seven;
    bits += 7;
    if (bits < 8) return;
    bits -= 8;
    if (at < length) bytes[at++] = sum >> bits;
    sum &= (1 << bits) - 1;
  };
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) take(code);
    else {
      take(ESCAPED[(code - 256) >> 7]);
      take((code - 256) & 127);
    }
  }
  return bytes;
}

/** A packed part of the document. @param {string} id */
export async function unpacked(id) {
  const part = /** @type {HTMLElement} */ (document.getElementById(id));
  const packed = bytesOf(part.textContent ?? "", Number(part.dataset.bytes));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  // The bytes of floats lie apart, first ones first, which packs better.
  for (const [from, floats] of JSON.parse(part.dataset.planes ?? "[]")) {
    const planes = bytes.slice(from, from + 4 * floats);
    for (let i = 0; i < floats; i++) for (let k = 0; k < 4; k++) bytes[from + 4 * i + k] = planes[k * floats + i];
  }
  part.remove();
  return bytes;
}
