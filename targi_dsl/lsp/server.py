"""The language server: notifications of a client change the workspace, requests are answered from
it.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as p
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from targi_dsl import language_service as service
from targi_dsl.lsp import protocol
from targi_dsl.text.diagnostics import Edit, Problem, Problems, render
from targi_dsl.text.resources import TESTS
from targi_dsl.text.source import Unit
from targi_dsl.text.version import __version__
from targi_dsl.tools.formatting import formatted

PAUSE = 0.005
"""Seconds without a change after which games are checked."""
PAUSE_BEFORE_TESTS = 0.3
"""Seconds after a check until the rule tests in open documents are run."""
NEW_OBJECTS = 50_000
"""The garbage collector's threshold of new objects."""
CHOOSE_GAME, RUN_TEST = "targi.chooseGame", "targi.runTest"

Answer = TypeVar("Answer")
_Told = dict[str, list[p.Diagnostic]]


class Server(LanguageServer):
    """The server of one workspace. opened: the texts of each path by the URIs under which it is
    open, the last changed one at the end. told: the documents with published diagnostics.
    """

    def __init__(self) -> None:
        super().__init__("targi", __version__)
        self.texts = service.Workspace()
        self.opened = dict[str, dict[str, str]]()
        self.told = set[str]()
        self._timer: asyncio.TimerHandle | None = None
        self._running: asyncio.Task[None] | None = None

    @property
    def unit(self) -> Unit:
        """What a column counts, as negotiated with the client."""
        return protocol.UNITS[self.workspace.position_encoding or "utf-16"]

    def offset(self, path: str, at: p.Position) -> int:
        """The offset of a position in a document."""
        return self.texts.source(path).offset(at.line + 1, at.character + 1, self.unit)

    def change(self, uri: str) -> None:
        """Takes the text of a document, and schedules a check."""
        path = protocol.path_at(uri)
        text = self.workspace.get_text_document(uri).source
        self.texts.edit(path, text)
        buffers = self.opened.setdefault(path, {})
        buffers.pop(uri, None)
        buffers[uri] = text
        self.check_soon()

    def close(self, uri: str) -> None:
        """Drops the text of a document, unless it is open under another URI too."""
        path = protocol.path_at(uri)
        buffers = self.opened.get(path, {})
        buffers.pop(uri, None)
        self.texts.edit(path, [*buffers.values()][-1] if buffers else None)
        if not buffers:
            self.opened.pop(path, None)
        self.check_soon()

    def check_soon(self) -> None:
        """Checks after a pause in editing, so that many changes cause one check."""
        self._stop()
        self._timer = asyncio.get_running_loop().call_later(PAUSE, self.publish)

    def _stop(self) -> None:
        for one in (self._timer, self._running):
            if one is not None:
                one.cancel()
        self._running = None

    def publish(self) -> None:
        """Publishes the problems of the games of all open documents, then those that rule tests
        find.
        """
        found, tests = _Told({path: [] for path in self.opened}), list[str]()
        for path in sorted(self.opened):
            problems = self.texts.problems(path)
            self._add(found, path, problems)
            if path.endswith(TESTS) and not problems:
                tests.append(path)
        self._tell({path: diagnostics for path, diagnostics in found.items() if path not in tests})
        if tests:
            self._running = asyncio.get_running_loop().create_task(self._test(found, tests))
        else:
            self._clear(found)
        if not gc.get_freeze_count():  # objects of the first check are permanent
            gc.freeze()
            gc.set_threshold(NEW_OBJECTS)

    async def _test(self, found: _Told, paths: list[str]) -> None:
        """Runs rule tests one by one, so that edits are handled in between."""
        await asyncio.sleep(PAUSE_BEFORE_TESTS)
        for path in paths:
            for outcome in self.texts.outcomes(path):
                self._add(found, path, outcome.problems)
                await asyncio.sleep(0)
        self._tell(found)
        self._clear(found)

    def _add(self, found: _Told, path: str, problems: Iterable[Problem]) -> None:
        for file, own in protocol.by_path(problems, path).items():
            diagnostics = found.setdefault(file, [])
            given = (protocol.diagnostic(one, self.unit) for one in own)
            diagnostics += [one for one in given if one not in diagnostics]

    def _tell(self, found: _Told) -> None:
        for path, diagnostics in found.items():
            uri = protocol.uri_of(path)
            self.text_document_publish_diagnostics(p.PublishDiagnosticsParams(uri, diagnostics))

    def _clear(self, found: _Told) -> None:
        """Clears the diagnostics of other files."""
        self._tell({path: [] for path in self.told - found.keys()})
        self.told = {path for path, diagnostics in found.items() if diagnostics}


server = Server()


def _answers(feature: str, *options: Any) -> Callable[[Callable[..., Answer]], object]:
    """Registers the handler of a request, a function of a path and the parameters. It returns
    nothing for a file that cannot be read.
    """

    def register(function: Callable[..., Answer]) -> object:
        def answer(params: Any) -> Answer | None:
            try:
                return function(protocol.path_at(params.text_document.uri), params)
            except Problems:
                return None

        return server.feature(feature, *options)(answer)

    return register


# ---- documents ----


@server.feature(p.TEXT_DOCUMENT_DID_OPEN)
def _opened(params: p.DidOpenTextDocumentParams) -> None:
    server.change(params.text_document.uri)


@server.feature(p.TEXT_DOCUMENT_DID_CHANGE)
def _changed(params: p.DidChangeTextDocumentParams) -> None:
    server.change(params.text_document.uri)


@server.feature(p.TEXT_DOCUMENT_DID_CLOSE)
def _closed(params: p.DidCloseTextDocumentParams) -> None:
    server.close(params.text_document.uri)


@server.feature(p.TEXT_DOCUMENT_DID_SAVE)
def _saved(params: p.DidSaveTextDocumentParams) -> None:
    server.texts.reload()
    server.check_soon()


@server.feature(p.WORKSPACE_DID_CHANGE_WATCHED_FILES)
def _moved(params: p.DidChangeWatchedFilesParams) -> None:
    server.texts.reload()
    server.check_soon()


# ---- names ----


@_answers(p.TEXT_DOCUMENT_HOVER)
def _hover(path: str, params: p.HoverParams) -> p.Hover | None:
    found = service.hover(server.texts, path, server.offset(path, params.position))
    if found is None:
        return None
    text = p.MarkupContent(p.MarkupKind.Markdown, protocol.markdown(found))
    return p.Hover(text, protocol.range_of(found.span, server.unit))


@_answers(p.TEXT_DOCUMENT_DEFINITION)
def _definition(path: str, params: p.DefinitionParams) -> list[p.Location]:
    found = service.definitions(server.texts, path, server.offset(path, params.position))
    return [protocol.location(span, server.unit) for span in found]


@_answers(p.TEXT_DOCUMENT_REFERENCES)
def _references(path: str, params: p.ReferenceParams) -> list[p.Location]:
    found = service.references(server.texts, path, server.offset(path, params.position))
    return [protocol.location(span, server.unit) for span in found]


@_answers(p.TEXT_DOCUMENT_PREPARE_RENAME)
def _prepare_rename(path: str, params: p.PrepareRenameParams) -> p.Range | None:
    try:
        found = service.renaming(server.texts, path, server.offset(path, params.position))
    except service.Refused as why:
        raise _refused(why) from None
    return protocol.range_of(found.span, server.unit)


@_answers(p.TEXT_DOCUMENT_RENAME, p.RenameOptions(prepare_provider=True))
def _rename(path: str, params: p.RenameParams) -> p.WorkspaceEdit:
    folders = [*map(protocol.path_at, server.workspace.folders)]
    root = [server.workspace.root_path] if server.workspace.root_path else []
    at = server.offset(path, params.position)
    try:
        edits = service.rename(server.texts, path, at, params.new_name, [*folders, *root])
    except service.Refused as why:
        raise _refused(why) from None
    return protocol.workspace_edit(edits, server.unit)


def _refused(why: service.Refused) -> Exception:
    return JsonRpcException(str(why), p.LSPErrorCodes.RequestFailed)


# ---- writing ----


@_answers(p.TEXT_DOCUMENT_COMPLETION)
def _completion(path: str, params: p.CompletionParams) -> list[p.CompletionItem]:
    found = service.completions(server.texts, path, server.offset(path, params.position))
    return [protocol.completion_item(one, found.span, server.unit) for one in found.items]


@_answers(
    p.TEXT_DOCUMENT_CODE_ACTION,
    p.CodeActionOptions([p.CodeActionKind.QuickFix, p.CodeActionKind.Refactor]),
)
def _code_actions(path: str, params: p.CodeActionParams) -> list[p.CodeAction]:
    first, last = (server.offset(path, at) for at in (params.range.start, params.range.end))
    return [
        p.CodeAction(
            one.title,
            kind=p.CodeActionKind.QuickFix if one.problems else p.CodeActionKind.Refactor,
            diagnostics=[protocol.diagnostic(problem, server.unit) for problem in one.problems],
            edit=protocol.workspace_edit(one.edits, server.unit),
        )
        for one in (
            *service.repairs(server.texts, path, first, last),
            *service.refactorings(server.texts, path, first),
        )
    ]


@_answers(p.TEXT_DOCUMENT_FORMATTING)
def _formatting(path: str, params: p.DocumentFormattingParams) -> list[p.TextEdit]:
    source = server.texts.source(path)
    text = formatted(source)
    whole = Edit(source.span(0, len(source.text)), text)
    return (
        []
        if text == source.text
        else [p.TextEdit(protocol.range_of(whole.span, server.unit), text)]
    )


# ---- files ----


@_answers(p.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def _symbols(path: str, params: p.DocumentSymbolParams) -> list[p.DocumentSymbol]:
    return [protocol.symbol(one, server.unit) for one in service.outline(server.texts, path)]


@server.feature(p.WORKSPACE_SYMBOL)
def _named(params: p.WorkspaceSymbolParams) -> list[p.SymbolInformation]:
    found = dict[tuple[str, int], p.SymbolInformation]()
    for path in sorted(server.opened):
        for one in service.named(server.texts, path, params.query):
            place = one.span.source.name, one.span.start
            found.setdefault(place, protocol.symbol_information(one, server.unit))
    return [*found.values()]


@_answers(p.TEXT_DOCUMENT_INLAY_HINT)
def _amounts(path: str, params: p.InlayHintParams) -> list[p.InlayHint]:
    found = (
        (protocol.range_of(span, server.unit).end, number)
        for span, number in service.amounts(server.texts, path)
    )
    lines = range(params.range.start.line, params.range.end.line + 1)
    return [p.InlayHint(end, f" = {number}") for end, number in found if end.line in lines]


@_answers(p.TEXT_DOCUMENT_FOLDING_RANGE)
def _foldings(path: str, params: p.FoldingRangeParams) -> list[p.FoldingRange]:
    return [p.FoldingRange(a - 1, b - 1) for a, b in service.foldings(server.texts, path)]


@_answers(
    p.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
    p.SemanticTokensLegend(list(protocol.TOKEN_TYPES), []),
)
def _tokens(path: str, params: p.SemanticTokensParams) -> p.SemanticTokens:
    found = service.tokens(server.texts, path)
    return p.SemanticTokens(protocol.encoded_tokens(found, server.unit))


@_answers(p.TEXT_DOCUMENT_CODE_LENS)
def _lenses(path: str, params: p.CodeLensParams) -> list[p.CodeLens]:
    lenses, games = list[p.CodeLens](), server.texts.games(path)
    start = p.Range(p.Position(0, 0), p.Position(0, 0))
    if len(games) > 1:
        title = f"as in {Path(games[0]).stem}, one of {len(games)} games"
        lenses.append(p.CodeLens(start, p.Command(title, CHOOSE_GAME, arguments=[path, games[1]])))
    outline, index = service.outline(server.texts, path), server.texts.index(path)
    for one in outline if path.endswith(TESTS) else ():
        run = p.Command("run this test", RUN_TEST, arguments=[path, one.name])
        lenses.append(p.CodeLens(protocol.range_of(one.name_span, server.unit), run))
    found = () if index is None else service.counts(index, outline)
    for one, uses, cards in found:
        title = _count(uses, "use") + (f", {_count(cards, 'card')}" if cards else "")
        at = protocol.range_of(one.name_span, server.unit)
        lenses.append(p.CodeLens(at, p.Command(title, "")))
    return lenses


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


@server.command(CHOOSE_GAME)
def _choose_game(path: str, game: str) -> None:
    """Looks at a file in another of the games that read it."""
    server.texts.choose(path, game)
    server.check_soon()


@server.command(RUN_TEST)
def _run_test(path: str, name: str) -> bool:
    """Runs a rule test, tells what comes of it, and returns whether it holds."""
    outcomes = [one for one in server.texts.outcomes(path) if one.test.name == name]
    report = "\n\n".join(render(one.problems) for one in outcomes if one.problems)
    kind = p.MessageType.Error if report else p.MessageType.Info
    message = report or f"{_count(len(outcomes), 'test')} of this name: none failed"
    server.window_show_message(p.ShowMessageParams(kind, message))
    return not report
