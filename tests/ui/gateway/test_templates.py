from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from agent.errors import ConfigError
from parsing import ToolSpec, dialect
from ui.gateway.asked import Ask, BadRequest, Call, Said
from ui.gateway.templates import ChatTemplate, load_template, opens_reasoning

NOW = ToolSpec("now", "Tell the <time> é.", {"type": "object", "properties": {}})
HERMES = dialect("hermes")
HISTORY = (
    Said("system", "Be brief."),
    Said("user", "Hi"),
    Said("assistant", "Well.", reasoning="hm", calls=(Call("call_1", "now", {"zone": "é"}),)),
    Said("tool", "12:00", answers="call_1", name="now"),
)

# Templates as models bring them, each with a habit of its own.
CHATML = """\
{%- if tools %}
    {{- '<|im_start|>system\\n' + messages[0].content + '\\n' }}
    {%- for tool in tools %}
        {{- tool | tojson }}
    {%- endfor %}
    {{- '<|im_end|>\\n' }}
{%- endif %}
{% for message in messages if message.role != 'system' %}
<|im_start|>{{ message.role }}
{% if message.reasoning_content is string %}
<think>{{ message.reasoning_content }}</think>
{% endif %}
{{ message.content }}
{% for call in message.tool_calls or [] %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>
{% endfor %}
<|im_end|>
{% endfor %}
{%- if add_generation_prompt %}
<|im_start|>assistant
{% if enable_thinking is defined and not enable_thinking %}
<think>

</think>

{% else %}
<think>
{% endif %}
{%- endif %}
"""
JOINS_ARGUMENTS = """\
{{ bos_token }}{{ tools | length }}
{%- for message in messages %}
    {%- for call in message['tool_calls'] or [] %}
        {{- '[' + call['function']['name'] + '|' + call['function']['arguments'] + ']' }}
    {%- endfor %}
{%- endfor %}"""
WANTS_NINE = """\
{%- if tools %}T{% endif %}
{%- for message in messages %}
    {%- for call in message.tool_calls or [] %}
        {%- if call.id | length != 9 %}
            {{- raise_exception('Tool call IDs should be alphanumeric strings with length 9!') }}
        {%- endif %}
        {{- '[call ' + call.id + ']' }}
    {%- endfor %}
    {%- if message.role == 'tool' %}{{ '[result ' + message.tool_call_id + ']' }}{% endif %}
{%- endfor %}"""
KNOWS_NO_TOOLS = """\
{%- for message in messages %}
    {%- if message.role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}
    {%- if (message.role == 'user') != (loop.index0 % 2 == 0) %}
        {{- raise_exception('Conversation roles must alternate user/assistant/...') }}
    {%- endif %}
    {{- '<' + message.role + '>' + message.content }}
{%- endfor %}
{{- '<model>' }}"""
KNOWS_NO_CALLS = """\
{%- if tools %}{{ tools | length }} tools\n{% endif %}
{%- for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}"""
BREAKS_AND_MARKS = """\
{%- for message in messages %}
    {%- if loop.index > 1 %}{%- break %}{%- endif %}
    {%- generation %}{{ message.content }}{%- endgeneration %}
{%- endfor %}{{ strftime_now('%Y') }}"""


def template(source: str, **special: str) -> ChatTemplate:
    return ChatTemplate(source, source, special)


def rendered(source: str, kwargs: Any = None, **more: Any) -> str:
    asked = Ask("m", **{"said": HISTORY, "tools": (NOW,), **more})
    return template(source, bos_token="<s>").render(asked, HERMES, kwargs or {})


def test_a_conversation_with_tools_is_rendered() -> None:
    assert rendered(CHATML) == (
        "<|im_start|>system\nBe brief.\n"
        '{"type": "function", "function": {"name": "now", "description": "Tell the <time> é.", '
        '"parameters": {"type": "object", "properties": {}}}}<|im_end|>\n'
        "<|im_start|>user\nHi\n<|im_end|>\n"
        "<|im_start|>assistant\n<think>hm</think>\nWell.\n<tool_call>\n"
        '{"name": "now", "arguments": {"zone": "é"}}\n</tool_call>\n<|im_end|>\n'
        "<|im_start|>tool\n12:00\n<|im_end|>\n"
        "<|im_start|>assistant\n<think>\n"
    )


def test_no_tools_are_rendered_when_none_is_to_be_called() -> None:
    assert "Tell the" not in rendered(CHATML, choice="none")


def test_the_request_sets_the_variables_of_a_template() -> None:
    assert rendered(CHATML, {"enable_thinking": False}).endswith("<think>\n\n</think>\n\n")


def test_the_request_sets_no_variable_of_ours() -> None:
    given = {"messages": [], "tools": [], "add_generation_prompt": False}
    assert rendered(CHATML, given) == rendered(CHATML)


def test_arguments_are_text_where_a_template_joins_them() -> None:
    assert rendered(JOINS_ARGUMENTS) == '<s>1[now|{"zone": "é"}]'


def test_ids_are_nine_letters_and_digits_where_a_template_wants_that() -> None:
    found = re.fullmatch(r"T\[call (\w{9})\]\[result (\w{9})\]", rendered(WANTS_NINE))
    assert found is not None
    assert found[1] == found[2]


def test_ids_of_nine_are_kept() -> None:
    said = (
        Said("assistant", "", calls=(Call("abcdefghi", "now", {}),)),
        Said("tool", "x", answers="abcdefghi", name="now"),
    )
    assert rendered(WANTS_NINE, said=said) == "T[call abcdefghi][result abcdefghi]"


def test_ids_are_the_models_own_where_its_dialect_names_the_tool_in_them() -> None:
    source = "{% for m in messages %}{% for c in m.tool_calls or [] %}{{ c.id }} {% endfor %}"
    source += "{{ m.tool_call_id or '' }}{% endfor %}{{ tools | length }}"
    again = (
        Said("assistant", "", calls=(Call("call_1", "now", {}), Call("call_3", "later", {}))),
        Said("tool", "x", answers="call_3", name="later"),
    )
    asked = Ask("m", (*HISTORY, *again), tools=(NOW,))
    assert template(source).render(asked, dialect("kimi_k2"), {}) == (
        "functions.now:0 functions.now:0functions.now:1 functions.later:2 functions.later:21"
    )
    assert template(source).render(asked, HERMES, {}) == "call_1 call_1call_1 call_3 call_31"


def test_a_template_without_tools_is_told_of_them_in_the_dialect() -> None:
    found = rendered(KNOWS_NO_TOOLS)
    assert found.startswith("<user>Be brief.\n\n# Tools\n")
    assert '\n\nHi<assistant>Well.\n<tool_call>\n{"name": "now"' in found
    assert found.endswith("<user><tool_response>\n12:00\n</tool_response><model>")


def test_a_template_without_calls_is_told_of_them_in_the_text() -> None:
    found = rendered(KNOWS_NO_CALLS)
    assert found.startswith("1 tools\nsystem: Be brief.\nuser: Hi\n")
    assert 'assistant: Well.\n<tool_call>\n{"name": "now", "arguments": {"zone": "é"}}' in found
    assert found.endswith("tool: 12:00\n")


def test_loops_break_generation_is_passed_over_and_time_is_told() -> None:
    assert rendered(BREAKS_AND_MARKS, said=HISTORY[1:2], tools=()) == f"Hi{datetime.now().year}"


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("{{ raise_exception('Only Latin, please') }}", "Only Latin, please"),
        ("{{ nothing.at.all }}", "'nothing' is undefined"),
        ("{{ messages[99].content }}", "no element 99"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{{ messages.append(1) }}", "unsafe"),
    ],
)
def test_a_template_that_complains_is_a_bad_request(source: str, complaint: str) -> None:
    with pytest.raises(BadRequest, match="chat template does not take this request") as fault:
        rendered(source, said=HISTORY[1:2], tools=())
    assert complaint in str(fault.value)
    assert fault.value.param == "messages"


def test_media_are_a_bad_request() -> None:
    said = (Said("user", "Hi", media=({"type": "image_url", "image_url": {"url": "x"}},)),)
    with pytest.raises(BadRequest, match="takes no images"):
        rendered(CHATML, said=said)


def test_what_the_client_sent_is_not_changed() -> None:
    before = repr((HISTORY, NOW))
    for source in (CHATML, JOINS_ARGUMENTS, WANTS_NINE, KNOWS_NO_TOOLS, KNOWS_NO_CALLS):
        rendered(source)
    assert repr((HISTORY, NOW)) == before


def test_a_template_is_read_from_a_file(tmp_path: Path) -> None:
    place = tmp_path / "own.jinja"
    place.write_text("{{ bos_token }}Hé", encoding="utf-8")
    assert load_template(place) == ChatTemplate(
        "{{ bos_token }}Hé", "{{ bos_token }}Hé", {"bos_token": "", "eos_token": ""}
    )


def test_a_template_is_read_from_a_folder_with_its_special_tokens(tmp_path: Path) -> None:
    config = {
        "chat_template": "old",
        "bos_token": {"content": "<s>", "lstrip": False},
        "eos_token": "</s>",
        "pad_token": None,
    }
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    special = {"bos_token": "<s>", "eos_token": "</s>"}
    assert load_template(tmp_path) == ChatTemplate("old", "old", special)
    (tmp_path / "chat_template.jinja").write_text("new")
    assert load_template(tmp_path) == ChatTemplate("new", "new", special)


def test_of_named_templates_the_one_for_tools_is_taken_with_tools(tmp_path: Path) -> None:
    named = [{"name": "default", "template": "D"}, {"name": "tool_use", "template": "tools"}]
    place = tmp_path / "tokenizer_config.json"
    place.write_text(json.dumps({"chat_template": named}))
    found = load_template(place)
    assert found.render(Ask("m", HISTORY), HERMES, {}) == "D"
    assert found.render(Ask("m", HISTORY, tools=(NOW,)), HERMES, {}) == "tools"


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.jinja", "{% if %}", "is no Jinja"),
        ("tokenizer_config.json", "{", "no chat template can be read"),
        ("tokenizer_config.json", "{}", "holds no chat template"),
        ("other.txt.missing", None, "no chat template can be read"),
    ],
)
def test_a_template_that_is_none_is_refused(
    tmp_path: Path, name: str, text: str | None, found: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError, match=found):
        load_template(tmp_path / name)


def test_a_folder_without_a_template_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"Expected a \.jinja file"):
        load_template(tmp_path)


@pytest.mark.parametrize(
    ("name", "end", "opened"),
    [
        ("qwen3", "<|im_start|>assistant\n<think>\n", True),
        ("qwen3", "<|im_start|>assistant\n", False),
        ("qwen3", "<|im_start|>assistant\n<think>\n\n</think>\n\n", False),
        ("qwen3", "Say <think> once.<|im_end|>\n<|im_start|>assistant\n", False),
        ("deepseek_v31", "<｜Assistant｜><think>", True),
        ("deepseek_v31", "<｜Assistant｜></think>", False),
        ("glm45", "<|assistant|>\n<think></think>", False),
        ("gemma4", "<|turn>model\n<|channel>thought\n", True),
        ("gemma4", "<|turn>model\n<|channel>thought\n<channel|>", False),
        ("harmony", "<|start|>assistant", False),
        ("harmony", "<|start|>assistant<|channel|>analysis<|message|>", True),
        ("seed_oss", "<seed:bos>assistant\n<seed:think>", True),
        ("kimi_k3", "<|open|>think<|sep|>", True),
        ("mistral_v11", "[/INST][THINK]", True),
        ("cline", "assistant\n<think>\n", True),
        ("none", "assistant\n", False),
    ],
)
def test_the_end_of_a_prompt_says_whether_the_answer_begins_in_reasoning(
    name: str, end: str, opened: bool
) -> None:
    assert opens_reasoning(f"<|im_start|>user\nHi<|im_end|>\n{end}", name) is opened
