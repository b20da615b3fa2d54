"""How fast the page of a table is in Chromium: from the link to the first choice, from a click to
what it led to, here and in another browser, and how large and quick a shared game is.

    python -m bench.page [GAME]

Needs Chromium and the extra `browser`. `bench.table` measures the server, `bench.cuts` cuts.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from statistics import median, quantiles

import click
from playwright.sync_api import Browser, Page, sync_playwright

from targi_dsl.engine.chance import Stream
from tests.browser.playing import ENDED, PATIENCE, chromium, serving

_WATCH = """
window.clicked = {}; window.painted = {};
const now = () => performance.timeOrigin + performance.now();
addEventListener("click", () => { clicked[document.body.dataset.at] = now(); }, true);
new MutationObserver(() => {
  if (document.querySelector(".choice")) window.playable ??= performance.now();
  const {at} = document.body?.dataset ?? {};
  if (at === undefined || painted[at]) return;
  painted[at] = 1;
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => { painted[at] = now(); };
    channel.port2.postMessage(0);
  });
}).observe(document, {childList: true, subtree: true, attributeFilter: ["data-at"]});
"""
_SLIDE = """async () => {
  const slider = document.querySelector(".history input"), times = [];
  for (let step = 0; step < Number(slider.max); step++) {
    await new Promise(requestAnimationFrame);
    const from = performance.now();
    slider.value = step;
    slider.dispatchEvent(new Event("input"));
    await null;  // the page is drawn in a microtask
    document.body.offsetHeight;
    times.push(performance.now() - from);
  }
  return times;
}"""


def arrive(browser: Browser, address: str) -> tuple[Page, list[int], list[int]]:
    """A page that can be played, in a browser that knows nothing yet, and the bytes that it was
    sent: all but fonts, and fonts.
    """
    page = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()
    sent, fonts = list[int](), list[int]()
    page.on("websocket", lambda ws: ws.on("framereceived", lambda data: sent.append(_packed(data))))
    page.add_init_script(_WATCH)
    page.goto(address)
    page.wait_for_selector("body[data-at]", timeout=PATIENCE)
    page.evaluate("() => document.fonts.ready")
    loaded = page.evaluate(
        "() => performance.getEntriesByType('resource').map((one) => [one.name, one.transferSize])"
    )
    for name, size in loaded:
        (fonts if name.endswith(".woff2") else sent).append(size)
    return page, sent, fonts


def _packed(data: str | bytes) -> int:
    return len(zlib.compress(data.encode() if isinstance(data, str) else data))


def p95(times: list[float]) -> float:
    return quantiles(times, n=20)[-1] if len(times) > 1 else times[0]


@click.command()
@click.argument("game", default="base")
def main(game: str) -> None:
    """Measure the page of a game."""
    with (
        tempfile.TemporaryDirectory() as name,
        sync_playwright() as tools,
        chromium(tools) as browser,
    ):
        folder = Path(name)
        with serving(folder, game, "--lan") as addresses:
            first, sent, fonts = arrive(browser, addresses[0])
            pages = [first, *(arrive(browser, one)[0] for one in addresses[1:])]
            first.wait_for_selector(".choice", timeout=PATIENCE)
            playable = first.evaluate("window.playable")
            bytes_sent = f"{sum(sent) / 1e3:.1f} kB, and fonts {sum(fonts) / 1e3:.1f} kB"
            click.echo(f"before it can be played: {bytes_sent}")
            click.echo(f"first playable: {playable:.0f} ms")
            own, others = play(pages)
            click.echo(f"own click to paint: median {median(own):.0f} ms, p95 {p95(own):.0f} ms")
            click.echo(
                f"the others see it: median {median(others):.0f} ms, p95 {p95(others):.0f} ms"
            )
        out = folder / "shared.html"
        share = [sys.executable, "-c", "from targi_dsl.cli import main; main()", "share"]
        subprocess.run([*share, str(folder / "game.yaml"), "--out", str(out)], check=True)
        page = browser.new_page()
        page.goto(out.as_uri())
        page.wait_for_selector(".history input", timeout=PATIENCE)
        steps = page.evaluate(_SLIDE)
        click.echo(f"the game as one file: {out.stat().st_size / 1e3:.1f} kB, {len(steps)} steps")
        drawn = f"median {median(steps):.1f} ms, p95 {p95(steps):.1f} ms"
        click.echo(f"a step of its slider, up to its layout: {drawn}")


def play(pages: list[Page]) -> tuple[list[float], list[float]]:
    """Random choices to the end: how long after each click it is seen by whoever made it, and by
    the others, in ms.
    """
    stream, own, others = Stream(3), list[float](), list[float]()
    while pages[0].query_selector(ENDED) is None:
        mover = next((one for one in pages if one.query_selector(".choice")), None)
        if mover is None:
            pages[0].wait_for_timeout(20)
            continue
        at = mover.get_attribute("body", "data-at")
        listed = mover.query_selector_all(".choice")
        listed[stream.below(len(listed))].click()
        seen = list[float]()
        for one in pages:
            one.wait_for_selector(f'body:not([data-at="{at}"])', timeout=PATIENCE)
            now = one.get_attribute("body", "data-at")
            one.wait_for_function("(at) => painted[at] > 1", arg=now, timeout=PATIENCE)
            seen.append(one.evaluate("(at) => painted[at]", now))
        start = mover.evaluate("(at) => clicked[at]", at)
        for one, when in zip(pages, seen, strict=True):
            (own if one is mover else others).append(when - start)
    return own, others


if __name__ == "__main__":
    main()
