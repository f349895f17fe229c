"""Measures the page where people play, in Chromium: its paint, its answers, its frames, its sounds.

    python3 reports/tools/browser.py NONET [TURNS]

NONET is the program, which is started as a server on a free port with a data folder of its own; or
the address of a server that runs, such as http://127.0.0.1:8642.
The driver is /usr/bin/chromedriver, or the path in CHROMEDRIVER. TURNS is the number of plays that
are made at 2-ply (12). The output is Markdown for reports/browser.md.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from typing import IO, Any

PATIENCE = 60.0
LOADS = 7

WATCH = """
const seen = window.measured = { moves: [], answers: [], frames: [] };
const painted = (tell) => requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = tell; port2.postMessage(0); });
addEventListener('pointerup', (event) => { if (event.target.closest('.source')) painted(() => seen.moves.push(performance.now() - event.timeStamp)); }, true);
let asked = 0;
addEventListener('keydown', (event) => { if (event.key === 'c') asked = event.timeStamp; }, true);
new MutationObserver(() => {
  if (!asked) return;
  const [begun, request] = [asked, performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/actions')).at(-1)];
  asked = 0;
  painted(() => { const whole = performance.now() - begun; seen.answers.push([whole, whole - (request?.duration ?? 0)]); });
}).observe(document.getElementById('log'), { childList: true });
let last = 0;
const frame = (now) => {
  const moves = document.querySelector('#board .air').getAnimations({ subtree: true }).some((one) => one.effect.getKeyframes().some((key) => key.transform));
  if (moves && last) seen.frames.push(now - last);
  last = moves ? now : 0;
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
"""

SOUNDS = """
const done = arguments[0];
(async () => {
  const { SOUNDS } = await import('/assets/board/sound.js');
  const rows = [];
  for (const [name, make] of Object.entries(SOUNDS)) {
    const audio = new OfflineAudioContext(1, 48000 * 2, 48000);
    make(audio);
    const samples = (await audio.startRendering()).getChannelData(0);
    let [peak, sum, squares, end] = [0, 0, 0, 0];
    samples.forEach((one, i) => { peak = Math.max(peak, Math.abs(one)); sum += one; squares += one * one; if (Math.abs(one) > 0.001) end = i; });
    rows.push([name, peak, (end + 1) / 48000, Math.sqrt(squares / (end + 1)), sum / (end + 1)]);
  }
  return rows;
})().then(done, (error) => done(`${error}`));
"""


class Page:
    """A page of Chromium, by the WebDriver protocol."""

    def __init__(self) -> None:
        driver = os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver")
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, text=True)
        said = lines_until(self.driver.stdout, "successfully on port ")
        self.base = f"http://127.0.0.1:{said.rsplit(' ', 1)[1].rstrip('.')}"
        words = [
            "--headless=new",
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--window-size=1280,800",
        ]
        wanted = {"alwaysMatch": {"goog:chromeOptions": {"args": words}}}
        session = self.ask("POST", "/session", {"capabilities": wanted})
        self.base += f"/session/{session['sessionId']}"

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        return call(method, self.base + path, body)["value"]

    def open(self, address: str) -> None:
        self.ask("POST", "/url", {"url": address})

    def run(self, script: str) -> Any:
        return self.ask("POST", "/execute/sync", {"script": script, "args": []})

    def wait(self, script: str) -> Any:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = self.run(f"return {script}")
            if found:
                return found
            time.sleep(0.02)
        raise SystemExit(f"the page did not become what is expected: {script}")

    def cdp(self, command: str, **params: Any) -> Any:
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def click(self, selector: str) -> None:
        box = f"document.querySelector('{selector}')?.getBoundingClientRect().toJSON()"
        at = self.wait(box)
        x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            self.cdp("Input.dispatchKeyEvent", type=kind, key=key)

    def close(self) -> None:
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(10)


def call(method: str, address: str, body: Any = None) -> Any:
    data = None if method == "GET" else json.dumps(body or {}).encode()
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(address, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{method} {address}: {error.read().decode()[:300]}") from error


def lines_until(said: IO[str] | None, words: str) -> str:
    """The line with these words, of a program that has just started."""
    for line in said or []:
        if words in line:
            return line.strip()
    raise SystemExit(f"a program ended before it said '{words}'")


def first_paint(page: Page, address: str) -> list[float]:
    times = []
    for _ in range(LOADS):
        page.open(address)
        paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
        times.append(float(page.wait(paint)))
    return times


def play(page: Page, server: str, turns: int) -> Any:
    """Plays `turns` rolls at 2-ply. Returns the measured times."""
    settings = {"length": 7, "level": "champion", "ply": 2, "cube_ply": 2, "seed": 4}
    begun = call("POST", f"{server}/api/v1/matches", settings)
    page.open(f"{server}/?match={begun['id']}")
    decides = "document.querySelector('#actions .main:not(:disabled), #board .spot.source')"
    page.wait(f"{decides} !== null")
    page.run(WATCH)
    made = 0
    while made < turns:
        page.wait(f"{decides} !== null")
        button = page.run(
            "return document.querySelector('#actions .main:not(:disabled)')?.textContent ?? null"
        )
        if page.run("return document.querySelector('#result:not([hidden])') !== null"):
            break
        if button == "Confirm":
            page.key("c")
            made += 1
            page.wait(
                "document.querySelector('#actions button') === null"
                " || document.querySelector('#actions .main')?.textContent !== 'Confirm'"
            )
        elif button:
            page.click("#actions .main")
        else:
            page.click("#board .spot.source .hit")
        time.sleep(0.05)
    page.wait(f"{decides} !== null")
    return page.run("return measured")


def row(name: str, values: list[float], unit: str = "ms") -> str:
    ordered = sorted(values)
    late = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return (
        f"| {name} | {len(values)} | {statistics.median(values):.1f} {unit}"
        f" | {late:.1f} {unit} | {ordered[-1]:.1f} {unit} |"
    )


def report(page: Page, server: str, turns: int) -> None:
    print("| what | times | median | 95 % | most |\n|---|---|---|---|---|")
    print(row("first paint of the start page", first_paint(page, f"{server}/")))
    seen = play(page, server, turns)
    print(row("first paint of a match", first_paint(page, page.run("return location.href"))))
    print(row("a click on a checker, until it moves", seen["moves"]))
    print(row("Confirm, until the answer is shown", [whole for whole, _ in seen["answers"]]))
    print(row("the page's part of that", [own for _, own in seen["answers"]]))
    print(row("from frame to frame while something moves", seen["frames"]))
    late = sum(one > 25 for one in seen["frames"])
    print(f"\nFrames that came late, after more than 25 ms: {late} of {len(seen['frames'])}.\n")
    sounds = page.ask("POST", "/execute/async", {"script": SOUNDS, "args": []})
    if isinstance(sounds, str):
        raise SystemExit(f"the sounds cannot be rendered: {sounds}")
    print("| sound | peak | length | loudness | mean |\n|---|---|---|---|---|")
    for name, peak, length, loud, mean in sounds:
        print(f"| {name} | {peak:.2f} | {length:.2f} s | {loud:.3f} | {mean:+.4f} |")


def measure(address: str, turns: int) -> None:
    page = Page()
    try:
        report(page, address.rstrip("/"), turns)
    finally:
        page.close()


def main() -> None:
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    if sys.argv[1].startswith("http://"):
        return measure(sys.argv[1], turns)
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.argv[1], "serve", "--port", "0", "--data", folder, "--runs", f"{folder}/runs"
        ]  # fmt: skip
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            measure(lines_until(server.stdout, "http://").split(" ")[-1], turns)
        finally:
            server.terminate()
            server.wait(20)


main()
