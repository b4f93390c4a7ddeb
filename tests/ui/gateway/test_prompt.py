from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from parsing import Options, ToolSpec, ToolUse, dialect, dialect_names, parse
from parsing.shape import Written, written
from ui.gateway.asked import Ask, Call, Said
from ui.gateway.chat import CHAT
from ui.gateway.client import ClientProtocol
from ui.gateway.messages import MESSAGES
from ui.gateway.prompt import chat_messages
from ui.gateway.responses import RESPONSES

WEATHER = ToolSpec(
    "get_weather",
    "Get the weather.",
    {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "The city's name"},
            "days": {"type": "integer"},
            "exact": {"type": "boolean"},
        },
        "required": ["city"],
    },
)
NOW = ToolSpec("now", "Tell the time.", {"type": "object", "properties": {}})
TOOLS = (WEATHER, NOW)
HERMES = dialect("hermes")
SPOKEN = [name for name in dialect_names() if dialect(name).shape.call]


def said(role: Any, text: str = "", **more: Any) -> Said:
    return Said(role, text, **more)


def ask(*history: Said, **more: Any) -> Ask:
    return Ask("m", history, **{"tools": TOOLS, **more})


def calls_in(text: str, name: str) -> list[tuple[str, Mapping[str, Any]]]:
    options = Options(profile="serving", starts_in_reasoning=False)
    blocks = parse(text, name, TOOLS, options=options)
    return [(block.name, dict(block.params)) for block in blocks if isinstance(block, ToolUse)]


def values(seed: int) -> dict[str, Any]:
    rng = random.Random(seed)
    city = "A" + "".join(rng.choices("abc é漢 09.,-_", k=rng.randrange(12))) + "z"
    found: dict[str, Any] = {"city": city}
    if rng.random() < 0.6:
        found["days"] = rng.randrange(-9, 1000)
    if rng.random() < 0.6:
        found["exact"] = rng.random() < 0.5
    return found


@pytest.mark.parametrize("name", SPOKEN)
def test_history_reads_back_as_what_was_called(name: str) -> None:
    told = Written.RAW if name == "cline-v2" else None  # it gives all values as text
    for seed, places, text in product(range(4), ((0,), (1,), (0, 1)), ("", "Let me look.")):
        row = (Call("a", "get_weather", values(seed)), Call("b", "now", {}))
        calls = tuple(row[place] for place in places)
        asked = ask(said("user", "Hi"), said("assistant", text, calls=calls))
        content = str(chat_messages(asked, dialect(name))[-1]["content"])
        assert content.startswith(text)
        wanted = [
            (call.name, {k: written(v, told) if told else v for k, v in call.arguments.items()})
            for call in calls
        ]
        assert calls_in(content, name) == wanted, (seed, content)


@pytest.mark.parametrize("name", SPOKEN)
def test_tools_are_described_in_the_system_message(name: str) -> None:
    system, user = chat_messages(ask(said("user", "Hi")), dialect(name))
    assert system["role"] == "system"
    assert "get_weather" in system["content"]
    assert "The city's name" in system["content"]
    assert dialect(name).shape.describe(TOOLS).strip() in system["content"]
    assert user == {"role": "user", "content": "Hi"}


def test_no_tools_are_described_when_none_is_to_be_called() -> None:
    for more in ({"choice": "none"}, {"tools": ()}):
        found = chat_messages(ask(said("user", "Hi"), **more), HERMES)
        assert found == [{"role": "user", "content": "Hi"}]


def test_a_dialect_without_calls_describes_no_tools() -> None:
    found = chat_messages(ask(said("user", "Hi")), dialect("none"))
    assert found == [{"role": "user", "content": "Hi"}]


def test_system_messages_are_merged_to_the_front() -> None:
    history = (said("system", "Be brief."), said("user", "Hi"), said("system", "Be kind."))
    found = chat_messages(ask(*history, said("user", "Well?")), HERMES)
    assert [row["role"] for row in found] == ["system", "user"]
    assert found[0]["content"].startswith("Be brief.\n\nBe kind.\n\n# Tools\n")
    assert found[1]["content"] == "Hi\n\nWell?"


def test_several_results_make_one_message_of_the_user() -> None:
    calls = (Call("a", "get_weather", {"city": "Paris"}), Call("b", "now", {}))
    found = chat_messages(
        ask(
            said("user", "Hi"),
            said("assistant", "Let me look.", calls=calls),
            said("tool", "rain", answers="a", name="get_weather"),
            said("tool", "12:00", answers="b", name="now"),
            said("user", "And?"),
        ),
        HERMES,
    )
    assert [row["role"] for row in found] == ["system", "user", "assistant", "user"]
    assert found[2]["content"] == (
        "Let me look.\n"
        '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>\n'
        '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>'
    )
    assert found[3]["content"] == (
        "<tool_response>\nrain\n</tool_response>\n<tool_response>\n12:00\n</tool_response>\n\nAnd?"
    )


def test_a_bare_result_says_whose_it_is() -> None:
    history = (said("user", "Hi"), said("tool", "12:00", answers="b", name="now"))
    found = chat_messages(ask(*history), dialect("llama3_json"))
    assert found[-1]["content"] == "Hi\n\nResult of now:\n12:00"


def test_calls_of_the_history_are_told_though_no_more_may_be_made() -> None:
    history = (said("user", "Hi"), said("assistant", calls=(Call("b", "now", {}),)))
    for spoken, more in ((HERMES, {"choice": "none"}), (dialect("none"), {})):
        found = chat_messages(ask(*history, **more), spoken)
        assert calls_in(found[-1]["content"], "hermes") == [("now", {})]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"choice": "required"}, "Your answer must call a tool."),
        ({"choice": "required", "tools": (NOW,)}, "Your answer must call the tool now."),
        ({"parallel": False}, "Write one call per message at most."),
        ({}, "A message may hold several calls"),
    ],
)
def test_the_tool_choice_is_said_in_the_prompt(more: dict[str, Any], sentence: str) -> None:
    sentences = (
        "Your answer must call a tool.",
        "Your answer must call the tool now.",
        "Write one call per message at most.",
    )
    found = str(chat_messages(ask(said("user", "Hi"), **more), HERMES)[0]["content"])
    assert sentence in found
    assert not any(other in found for other in sentences if other != sentence)


def test_reasoning_goes_beside_the_text_where_the_server_takes_it() -> None:
    history = (said("user", "Hi"), said("assistant", "Yes.", reasoning="hm"))
    asked = ask(*history, tools=())
    assert chat_messages(asked, HERMES)[-1] == {
        "role": "assistant",
        "content": "Yes.",
        "reasoning_content": "hm",
    }
    told = chat_messages(asked, HERMES, reasoning=False)[-1]
    assert told == {"role": "assistant", "content": "Yes."}


def test_media_are_kept_in_their_order() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    history = (
        said("tool", "a picture", answers="a", name="now", media=(image,)),
        said("user", "What is it?", media=(image,)),
    )
    found = chat_messages(ask(*history, tools=()), HERMES)
    assert found == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "<tool_response>\na picture\n</tool_response>"},
                image,
                {"type": "text", "text": "What is it?"},
                image,
            ],
        }
    ]


def test_what_the_client_sent_is_not_changed() -> None:
    image = {"type": "image_url", "image_url": {"url": "x"}}
    asked = ask(said("user", "a", media=(image,)), said("user", "b", media=(image,)))
    before = repr(asked)
    chat_messages(asked, HERMES)
    assert repr(asked) == before


URLS = [f"http://h/{number}.png" for number in (1, 2)]
IMAGES: list[dict[str, Any]] = [{"type": "image_url", "image_url": {"url": url}} for url in URLS]


def text_part(text: str, kind: str = "text") -> dict[str, Any]:
    return {"type": kind, "text": text}


@pytest.mark.parametrize(
    ("protocol", "member", "kind", "images"),
    [
        (CHAT, "messages", "text", IMAGES),
        (RESPONSES, "input", "input_text", [{"type": "input_image", "image_url": u} for u in URLS]),
        (
            *(MESSAGES, "messages", "text"),
            [{"type": "image", "source": {"type": "url", "url": url}} for url in URLS],
        ),
    ],
    ids=lambda value: value.name if isinstance(value, ClientProtocol) else "",
)
def test_images_keep_their_places_in_a_users_text(
    protocol: ClientProtocol, member: str, kind: str, images: list[Any]
) -> None:
    first, between, last = (text_part(text, kind) for text in ("First:", "Second:", "Which?"))
    parts = [first, images[0], between, images[1], last, last]
    said = [{"role": "user", "content": "Look."}, {"role": "user", "content": parts}]
    body = {"model": "m", "max_tokens": 9, member: [*said, {"role": "user", "content": "So?"}]}
    (told,) = chat_messages(protocol.asked(body), HERMES)
    assert told["content"] == [
        *(text_part("Look.\n\nFirst:"), IMAGES[0], text_part("Second:"), IMAGES[1]),
        text_part("Which?Which?\n\nSo?"),
    ]
