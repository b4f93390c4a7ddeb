from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import pexpect
import pytest

from tests.ui.command import Tagline, argv, environment, write
from tests.ui.test_compare import MESSAGE

COUNT = 400


@pytest.fixture
def long_work(tagline: Tagline, tmp_path: Path) -> pexpect.spawn[str]:
    lines = "".join(json.dumps({"text": MESSAGE * 6 + str(n)}) + "\n" for n in range(COUNT))
    path = write(tagline.folder, "many.jsonl", lines)
    program, *arguments = argv("compare", "--every-cut", "--html", "page.html", path)
    more = {"TERM": "xterm", "COLUMNS": "100"}
    return pexpect.spawn(
        program,
        arguments,
        cwd=str(tagline.folder),
        env=environment(tagline.home, more),
        encoding="utf-8",
        timeout=90,
        dimensions=(40, 100),
    )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_compare_keeps_what_was_done_when_interrupted(
    long_work: pexpect.spawn[str], tagline: Tagline, number: int, code: int
) -> None:
    long_work.expect(rf"\d+% █.* [1-9]\d* of {COUNT} messages")  # the bar, and something is done
    group = os.getpgid(long_work.pid or 0)
    os.kill(group, number)
    long_work.expect(rf"interrupted; ([1-9]\d*) of {COUNT} messages were compared and are shown")
    shown, found = long_work.before or "", long_work.match
    assert isinstance(found, re.Match)
    done = found[1]
    long_work.expect(pexpect.EOF)
    long_work.close()

    assert long_work.exitstatus == code
    assert "The two modes agree after every chunk" in shown
    row = next(line for line in shown.splitlines() if "many.jsonl " in line)
    assert row.split("many.jsonl")[1].split()[0] == done
    page = (tagline.folder / "page.html").read_text("utf-8")
    assert f"{done} messages of {COUNT} (interrupted)" in page
    with pytest.raises(ProcessLookupError):  # nobody is left of the group
        os.killpg(group, 0)
