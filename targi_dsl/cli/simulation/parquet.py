"""The rows of a simulation as Parquet: one file, or a folder of parts."""

from __future__ import annotations

from io import RawIOBase
from itertools import islice
from pathlib import Path

import pyarrow
from pyarrow.parquet import ParquetWriter

from targi_dsl.cli.commands.simulate import Columns, Value
from targi_dsl.ir.game import Game
from targi_dsl.simulation.chunk import ChunkResult, Plan
from targi_dsl.text.files import Growing, is_folder

GROUP = 65_536
"""Rows of a row group."""

PART = 16 * GROUP
"""Rows of a part of a folder."""


class ParquetRows:
    """Writes row groups of fixed size, so that equal games give equal bytes however they are
    chunked. In a folder, each part is complete when the next one begins.
    """

    def __init__(self, path: Path, plan: Plan, game: Game) -> None:
        self.columns, self.path, self.in_parts = Columns(plan, game), path, is_folder(path)
        self.waiting: list[list[Value]] = []
        self.part = self.written = 0
        self.writer: ParquetWriter | None = None
        self._begin()

    def write(self, played: ChunkResult) -> None:
        """Writes the games of a chunk as soon as they fill a group."""
        rows = self.columns.values(played)
        while fresh := [*islice(rows, GROUP - len(self.waiting))]:
            self.waiting += fresh
            if len(self.waiting) == GROUP:
                self._write_group()

    def close(self) -> None:
        """Writes the remaining rows and closes the file."""
        if self.waiting:
            self._write_group()
        self._end()

    def _write_group(self) -> None:
        if self.in_parts and self.written == PART:
            self._end()
            self._begin()
        assert self.writer is not None
        values = dict(zip(self.columns.names, zip(*self.waiting, strict=True), strict=True))
        self.writer.write_table(pyarrow.table(values, schema=self._schema()))
        self.written += len(self.waiting)
        self.waiting.clear()

    def _begin(self) -> None:
        path = self.path / f"part-{self.part:05}.parquet" if self.in_parts else self.path
        self.file = _Sink(Growing(path))
        self.writer = ParquetWriter(self.file, self._schema(), compression="zstd")
        self.part, self.written = self.part + 1, 0

    def _end(self) -> None:
        if self.writer is not None:
            self.writer.close()
            self.writer = None
            self.file.close()

    def _schema(self) -> pyarrow.Schema:
        kinds = {str: pyarrow.string(), int: pyarrow.int64()}
        types = zip(self.columns.names, self.columns.types, strict=True)
        return pyarrow.schema([(name, kinds[kind]) for name, kind in types])


class _Sink(RawIOBase):
    """A growing file as a file object, for a library that needs it."""

    def __init__(self, file: Growing) -> None:
        self.file = file

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self.file.append(bytes(data))
        return len(data)

    def tell(self) -> int:
        return self.file.size

    def close(self) -> None:
        if not self.closed:
            super().close()
            self.file.close()
