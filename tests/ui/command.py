"""The command `tagline` as a process of its own, with places of its own for everything."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_START = "import sys; sys.path[0] = {root!r}; from ui.cli import main; sys.exit(main())"
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")


def argv(*arguments: str) -> list[str]:
    """Give what starts the command of this checkout."""
    return [sys.executable, "-c", _START.format(root=str(ROOT)), *arguments]


def environment(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Give an environment in which nothing is configured and nothing is shared."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    places = {
        "HOME": str(home),
        "TAGLINE_STATE": str(home / "state"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "TMPDIR": str(home / "tmp"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    (home / "tmp").mkdir(exist_ok=True)
    return kept | places | dict(more or {})


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Tagline:
    """The command, run in one folder."""

    folder: Path
    home: Path
    more: Mapping[str, str] = field(default_factory=dict[str, str])

    def run(self, *arguments: str, stdin: str | bytes = b"") -> Ran:
        """Run to the end; whatever happens, no traceback may be seen."""
        ended = subprocess.run(
            argv(*arguments),
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            cwd=self.folder,
            env=environment(self.home, self.more),
            capture_output=True,
            start_new_session=True,  # away from the terminal of whoever runs the tests
            timeout=60,
            check=False,
        )
        ran = Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())
        assert "Traceback" not in ran.err, ran.err
        assert "Traceback" not in ran.out, ran.out
        return ran

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start with everything piped."""
        return subprocess.Popen(
            argv(*arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            cwd=self.folder,
            env=environment(self.home, self.more),
        )


def write(folder: Path, name: str, text: str) -> str:
    """Write a file and give its path."""
    path = folder / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return str(path)
