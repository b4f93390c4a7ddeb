from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterator
from random import Random

import pytest

from parsing import Finish, dialect_names, fuzz, reader
from tools import default_tools

pytestmark = [pytest.mark.soak, pytest.mark.timeout(600)]

SECONDS = float(os.environ.get("SOAK_SECONDS", "15"))
SPECS = default_tools().specs
TAGS = [
    f"<{slash}{name}>"
    for spec in SPECS
    for name in (spec.name, *spec.parameters["properties"])
    for slash in ("", "/")
]
WORDS = ["\n", " ", "a", "<", "</", ">", "```", "`", "``` py\n", "é", "😀", "\r\n", "x < y", "--- "]
MARKS = ["<think>", "</think>", "<thinking>", "</thinking>", "<!--", "-->", "<b>", "&lt;"]


def soup(random: Random) -> Iterator[str]:
    for _ in range(random.randrange(1, 120)):
        yield random.choice(random.choice((TAGS, TAGS, WORDS, MARKS)))


def cut(text: str, random: Random) -> Iterator[str]:
    start = 0
    while start < len(text):
        size = random.choice((1, 1, 2, 3, 7, 40))
        yield text[start : start + size]
        start += size


def read(seed: int, dialect: str) -> int:
    random = Random(seed)
    text = "".join(soup(random))
    reading = reader(dialect, SPECS, "both")  # raises Divergence at the first difference
    for chunk in cut(text, random):
        reading.feed(chunk)
    reading.close(random.choice((Finish.STOP, Finish.LENGTH)))
    assert reading.text == text
    return len(text)


def test_soak_modes_agree_on_tag_soup_and_memory_stays_flat() -> None:
    seed, characters, peaks = time.time_ns() % 10**9, 0, list[int]()
    print(f"\nfirst seed {seed}, {SECONDS:g} s")
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        for dialect in ("cline", "cline-v2"):
            try:
                characters += read(seed, dialect)
            except BaseException:
                print(f"seed {seed}, dialect {dialect}")
                raise
        seed += 1
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    print(f"{len(peaks)} messages, {characters} characters, both modes agreed")

    assert peaks[-1] - peaks[len(peaks) // 4] < 16 * 1024


def test_soak_grown_messages_of_all_dialects_keep_the_laws() -> None:
    names = dialect_names()
    seed, messages, compared = time.time_ns() % 10**9 // 16 * 16, 0, 0
    print(f"\nfirst seed {seed}, {SECONDS:g} s")
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        name = names[messages // fuzz.ALIKE % len(names)]
        message = fuzz.message(name, seed + messages)
        try:
            compared += fuzz.check(message)
        except fuzz.LawBroken:
            print(f"tagline compare --fuzz 1 --dialect {name} --seed {seed + messages}")
            print(fuzz.smallest(message))
            raise
        messages += 1
    print(f"{messages} messages, {compared} chunk comparisons, no law broken")
