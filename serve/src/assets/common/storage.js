// @ts-check
// The storage of the browser, which pages can always ask. Where the person blocks it, its name alone
// throws. Then pages get one that lasts as long as they do.

/** @returns {Storage} */
function ofThisPage() {
  /** @type {Map<string, string>} */
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, `${value}`),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
    key: (index) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size;
    },
  };
}

for (const name of /** @type {const} */ (["localStorage", "sessionStorage"])) {
  try {
    void globalThis[name];
  } catch {
    Object.defineProperty(globalThis, name, { value: ofThisPage(), configurable: true });
  }
}
