"""What the person asked for on the command line, as one value.

Law: `None` means "not said": the environment, the files and the defaults decide then.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

OutputFormat = Literal["text", "json", "stream-json"]
Mode = Literal["reparse", "incremental", "both"]
Protocol = Literal["text", "native"]
ForeignPolicy = Literal["offer", "accept", "refuse"]


@dataclass(frozen=True, slots=True)
class Options:
    """The command line of an agent run, interactive or not.

    An empty `resume` says that the person wants to choose.
    """

    task: str | None = None
    headless: bool = False
    output_format: OutputFormat = "text"
    protocol: Protocol | None = None
    dialect: str | None = None
    mode: Mode | None = None
    foreign_calls: ForeignPolicy | None = None
    model: str | None = None
    base_url: str | None = None
    provider: str | None = None
    continue_latest: bool = False
    resume: str | None = None
    allow_all: bool = False
    max_turns: int | None = None
    timeout_s: float | None = None
    directory: Path | None = None
    local: bool = False
    script: Path | None = None

    @property
    def resumes(self) -> bool:
        return self.continue_latest or self.resume is not None
