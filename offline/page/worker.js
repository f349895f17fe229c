// @ts-check
// A worker: a process of the module, its requests and its errands. What wasm-bindgen makes of the
// module stands before this.

(() => {
  // @ts-expect-error: what stands before this.
  const made = /** @type {any} */ (wasm_bindgen);
  const tell = (/** @type {any} */ said) => postMessage(said);
  /** @type {any} */ (globalThis).nonetPanic = (/** @type {string} */ text) => console.error(text);
  /** @type {any} */
  let process = null;
  /** @type {Set<number>} */
  const cancelled = new Set();
  let stops = false;
  const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

  /** Tells the files that have changed, and the errands. */
  function tellRest() {
    const changes = made.takeChanges().map((/** @type {any} */ one) => {
      const { path, kind, bytes } = one;
      one.free();
      return { path, kind, bytes };
    });
    if (changes.length) tell({ type: "changes", changes });
    const errands = process.takeErrands();
    if (errands.length) tell({ type: "errands", errands });
  }

  /** @param {any} asked */
  async function answer({ id, method, address, kind, body }) {
    const given = process.answer(method, address, kind, body ?? new Uint8Array());
    tellRest();
    tell({ type: "head", id, status: given.status, kind: given.kind, isForSlow: given.isForSlow });
    for (let n = 0; !cancelled.has(id); n++) {
      const bytes = given.nextPart();
      // Others go on with these files while the next part is made.
      tellRest();
      if (!bytes) break;
      tell({ type: "part", id, bytes });
      if (n > 0) await pause();
    }
    cancelled.delete(id);
    given.free();
    tellRest();
    tell({ type: "end", id });
  }

  /** @param {any} asked */
  async function doErrand({ text, errand }) {
    let error = null;
    try {
      if (errand.kind === "analysis") {
        let last = 0;
        process.analyse(errand.id, ...errand.plies, (/** @type {number} */ done) => {
          if (Date.now() < last + 100) return;
          last = Date.now();
          tell({ type: "at", id: errand.id, done });
        });
      } else {
        const run = new made.Training(errand.options);
        while (run.step(stops)) {
          tellRest();
          await pause();
        }
        run.free();
      }
    } catch (why) {
      if (why instanceof WebAssembly.RuntimeError) throw why;
      error = `${why}`;
    }
    tellRest();
    tell({ type: "ended", text, error });
  }

  /** @param {any} said */
  async function hear(said) {
    switch (said.type) {
      case "start":
        made.initSync({ module: said.module });
        for (const { path, kind, bytes } of said.files) made.putFile(path, kind, bytes);
        process = new made.Module(said.slow);
        tellRest();
        break;
      case "files":
        for (const { path, kind, bytes } of said.changes) made.putFile(path, kind, bytes);
        break;
      case "ask":
        await answer(said);
        break;
      case "cancel":
        cancelled.add(said.id);
        break;
      case "errand":
        await doErrand(said);
        break;
      case "stop":
        stops = true;
        break;
      case "at":
        process.analysisAt(said.id, said.done);
        break;
      case "ended":
        process.ended(said.text, said.error ?? undefined);
        break;
    }
  }

  onmessage = ({ data }) => {
    hear(data).catch((why) => {
      console.error(why);
      // Whoever waits for an errand, or for a worker that does not start, is told of its death.
      const isLost =
        why instanceof WebAssembly.RuntimeError ||
        data.type === "errand" ||
        (data.type === "start" && data.slow);
      if (isLost) tell({ type: "died", error: `${why}` });
      else tell({ type: "end", id: data.id, error: `${why}` });
    });
  };
})();
