"""No text of a card's face is cut and none lies on another, in any language, whatever fonts are
installed.

    pytest tests/browser/test_faces.py --every-game

looks at every face of every card of the library in every language.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from msgspec import json
from playwright.sync_api import Page, sync_playwright

from targi_dsl.compiler import translations
from targi_dsl.table.editions import Edition
from tests.browser.playing import arrive, chromium, serving
from tests.games import ALL, compiled

FONTS = ("DejaVu Sans", "Liberation Serif")
"""Fonts of other widths, each of which is the only one that is installed."""
SELECTED = ("base", "expansion", "oh_hell")
WIDTHS = (62, 81, 107, 190)
"""How wide cards are on pages from 360 pixels to the widest."""

_SHOW = """async ([begin, widths]) => {
    const {card, refit, useCards} = await import("/faces.js"), {useEquipment} = await import("/marks.js");
    const {html, render} = await import("/lit-html.js");
    useEquipment(begin);
    useCards(begin.equipment);
    const ids = Object.keys(begin.equipment.cards);
    const address = html`<div class="visitors"><span class="address">c3</span></div>`;
    const face = (id, wide) => html`<div class="face" title="${wide}: ${id}"
        .style=${`width:${wide}px;aspect-ratio:1.3;container-type:inline-size`}>${card({id}, address)}</div>`;
    const draw = () => render(widths.map((wide) => ids.map((id) => face(id, wide))), document.getElementById("page"));
    draw();
    await document.fonts.ready;
    refit();
    draw();
    return ids.length;
}"""
_FAULTS = """() => [...document.querySelectorAll(".face")].flatMap((face) => {
    const written = (one) => one.nodeType === 3 ? [one] : one.className === "sr" ? [] : [...one.childNodes].flatMap(written);
    const rects = (one) => written(one).flatMap((text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return [...range.getClientRects()];
    });
    const outer = face.getBoundingClientRect(), found = [];
    const tell = (what) => found.push(`${face.title}: ${what}`);
    const seen = [...face.querySelectorAll(".full, .brief, .price, .text, .corner, .rank, .pip, .address")]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height > 0);
    const drawn = seen.map((one) => [one, rects(one)]);
    for (const [one, words] of drawn)
        if (words.some((word) => word.left < outer.left || word.right > outer.right || word.top < outer.top - 1 || word.bottom > outer.bottom + 1))
            tell(`${one.className} is cut at the edge`);
    for (const one of face.querySelectorAll(".name, .text, .body"))
        if (one.getBoundingClientRect().height > 0 && (one.scrollHeight > one.clientHeight + 2 || one.scrollWidth > one.clientWidth + 1))
            tell(`${one.className} is cut`);
    for (const [at, [one, words]] of drawn.entries())
        for (const [other, others] of drawn.slice(at + 1))
            if (!one.contains(other) && !other.contains(one) && words.some((a) => others.some((b) =>
                a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)))
                tell(`${one.className} lies on ${other.className}`);
    return found;
})"""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    every = metafunc.config.getoption("--every-game")
    metafunc.parametrize("name", ALL if every else SELECTED)


@pytest.fixture(scope="module", params=FONTS)
def page(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    """A page of the table on a machine that has one font."""
    folder = tmp_path_factory.mktemp("fonts")
    asked = ["fc-list", f":family={request.param}", "file"]
    files = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert files, f"{request.param} is not installed"
    for file in files.replace(":", "").split():
        (folder / Path(file).name).symlink_to(file)
    settings = folder / "fonts.conf"
    settings.write_text(f"<fontconfig><dir>{folder}</dir></fontconfig>")
    with (
        sync_playwright() as tools,
        chromium(tools, FONTCONFIG_FILE=str(settings)) as browser,
        serving(folder, "tic_tac_toe") as (address,),
    ):
        yield arrive(browser, address)


def test_no_text_of_a_face_is_cut(page: Page, name: str) -> None:
    game = compiled(name)
    edition = Edition(game, partial(translations.of_game, game, name))
    for code in translations.languages():
        if edition.words(code).language.code != code:
            continue
        if page.evaluate(_SHOW, [json.decode(edition.begin(code)), WIDTHS]):
            faults = page.evaluate(_FAULTS)
            assert not faults, f"{code}: {len(faults)}\n" + "\n".join(faults[:40])
