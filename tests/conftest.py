"""Lets tests share helpers as tests.NAME: --import-mode=importlib adds no folder to the path.

Undoes what `nohup` and a shell's `&` do: they ignore signals, and programs started by tests would
inherit that. C is not tried beside the games of tests, which would take a process for each game:
what compares engines does so itself, and `test_c_trust` tests the trial. Garbage is looked for as
seldom as by the command line, and never in what was there when the first test began. What is
compiled is kept wherever it is: tests begin hundreds of programs, which would compile it anew. No
write waits for the disk, as no test needs what it wrote after the machine has stopped.
"""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

for number, action in (
    (signal.SIGHUP, signal.SIG_DFL),
    (signal.SIGINT, signal.default_int_handler),
):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, action)


sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

gc.set_threshold(100_000, 20, 20)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def untried() -> Iterator[None]:
    trust = import_module("targi_dsl.codegen.c.trust")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trust, "_run_trial", lambda *_: trust._UNTRIED)
        patch.setattr(os, "fsync", lambda _: None)
        yield
