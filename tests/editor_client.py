"""An editor at the language server, in a process of its own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from lsprotocol import types as p
from pygls.lsp.client import LanguageClient

from tests.commands import ROOT
from tests.small_game import FILES

RULES, SHEET = "pond/pond.targi", "pond.targi"
SECONDS = 60


class Editor:
    """A client with the small game open, at a server of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.client = folder, LanguageClient("editor", "1")
        self.version, self.published = 1, asyncio.Queue[p.PublishDiagnosticsParams]()

        @self.client.feature(p.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]  # pygls
        def _publish(params: p.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

    async def begin(self) -> None:
        root = self.folder.as_uri()
        await self.client.start_io(sys.executable, str(ROOT / "cli.py"), "lsp")
        await self.client.initialize_async(
            p.InitializeParams(p.ClientCapabilities(), root_uri=root)
        )
        self.client.initialized(p.InitializedParams())

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str = "") -> None:
        item = p.TextDocumentItem(self.uri(name), "targi", 1, text or FILES[name])
        self.client.text_document_did_open(p.DidOpenTextDocumentParams(item))

    def change(self, name: str, text: str) -> None:
        self.version += 1
        document = p.VersionedTextDocumentIdentifier(self.version, self.uri(name))
        whole = p.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(p.DidChangeTextDocumentParams(document, [whole]))

    async def told(self, name: str) -> list[tuple[str, int]]:
        """The codes and lines of the next problems of a document."""
        while True:
            found = await asyncio.wait_for(self.published.get(), SECONDS)
            if found.uri == self.uri(name):
                return [(str(one.code), one.range.start.line + 1) for one in found.diagnostics]


def at_the_editor(folder: Path, session: Callable[[Editor], Awaitable[None]]) -> None:
    """Runs a session with an editor, and ends it."""

    async def whole() -> None:
        editor = Editor(folder)
        await editor.begin()
        await session(editor)
        await editor.client.shutdown_async(None)
        editor.client.exit(None)
        await editor.client.stop()  # type: ignore[no-untyped-call]  # pygls

    asyncio.run(whole())


def place(text: str, passage: str, word: str) -> p.Position:
    at = text.index(passage) + passage.index(word) + 1
    before = text[:at].split("\n")
    return p.Position(len(before) - 1, len(before[-1]))
