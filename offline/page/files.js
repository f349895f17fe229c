// @ts-check
// The files of all processes, kept by the browser.

/** @typedef {{ path: string; kind: string; bytes: Uint8Array }} FileChange */

const STORE = "files";

/**
 * The database; null where the browser keeps nothing.
 *
 * @returns {Promise<IDBDatabase | null>}
 */
function openDatabase() {
  return new Promise((resolve) => {
    try {
      const asked = indexedDB.open("nonet", 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "path" });
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = asked.onblocked = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
}

export class Files {
  constructor() {
    /** @type {Map<string, FileChange>} */
    this.known = new Map();
    /** @type {IDBDatabase | null} */
    this.database = null;
  }

  /** Reads the kept files. */
  async load() {
    this.database = await openDatabase();
    if (!this.database) return;
    const asked = this.database.transaction(STORE).objectStore(STORE).getAll();
    const all = await new Promise((resolve) => {
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => resolve([]);
    });
    for (const file of all) this.known.set(file.path, file);
  }

  /** All of them, folders before what is in them. */
  all() {
    return [...this.known.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /**
   * Keeps changes.
   *
   * @param {FileChange[]} changes
   */
  keep(changes) {
    const store = this.database?.transaction(STORE, "readwrite").objectStore(STORE);
    for (const file of changes) {
      if (file.kind === "nothing") {
        this.known.delete(file.path);
        store?.delete(file.path);
      } else {
        this.known.set(file.path, file);
        store?.put(file);
      }
    }
  }
}
