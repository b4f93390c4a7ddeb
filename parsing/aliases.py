"""The names of dialects in the world: those of model servers' parsers, and those of models.

Law: nothing is guessed. A name leads to a dialect that is there, or to none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from functools import lru_cache

# One row, one dialect: ours first, then what vLLM, SGLang, LMDeploy and others call it.
# Of a row the first that is there is meant. A name of ours needs no row for itself.
_ROWS = (
    "claude_xml claude",
    "hermes qwen qwen25 qwen2d5 qwen3 qwen3_json trinity granite4 ernie45",
    "qwen3_coder qwen3_xml qwen_xml interns2_preview step3p5 step5 nanbeige nemotron_v3",
    "harmony openai openai_gptoss gpt_oss",
    "glm45 glm glm46 glm45_moe poolside_v1 spark25",
    "glm47 glm47_moe ling3",
    "deepseek_v3 deepseek",
    "dsml deepseek_v32 deepseek_v4 deepseek_v41",
    "minimax_m2 minimax",
    "llama3_json llama4_json llama3 llama",
    "pythonic llama4_pythonic",
    "mistral_v11 mistral_v13",
    "internlm internlm2 intern_s1",
    "fenced_json json",
    "granite granite3",
    "cohere cohere_command cohere_command3 cohere_command4",
    "poolside_v1 laguna",
    "phi4_mini phi4_mini_json phi4",
    "hy_v3 hy_v4 hunyuan",
    "muse musespark1x muse_glimmer",
    "apertus apertus2509",
    "none passthrough",
)

# Tried in this order on a model's name (see `_bare`): the first row that is found in it decides.
_MODELS = (
    # fine-tunes that keep the name of what they were made from
    (r"hermes", "hermes"),
    (r"deepseek-r1-(distill|0528-qwen)", "deepseek_r1"),
    (r"xlam", "xlam"),
    (r"toolace", "pythonic"),
    # Qwen, and what shares its grammar
    (r"qwen-?3-?coder|qwen-?3[5-9]|intern-?s2", "qwen3_coder"),
    (r"nemotron-(v?3(?!\d)|nano-3)|step-?(35|37|5)|nanbeige|granite-?42", "qwen3_coder"),
    (r"qwen-?3|qwq", "qwen3"),
    (r"qwen", "hermes"),
    # OpenAI
    (r"gpt-?oss|llm-jp", "harmony"),
    # GLM and what shares its grammar
    (r"glm-?47|glm-?5|ling-?3", "glm47"),
    (r"glm-?4[56]", "glm45"),
    (r"laguna", "poolside_v1"),
    (r"spark-?25", "spark25"),
    (r"iquest", "iquest_q1"),
    # DeepSeek
    (r"deepseek-v41", "deepseek_v41"),
    (r"deepseek-v4", "deepseek_v4"),
    (r"deepseek-v32", "deepseek_v32"),
    (r"deepseek-v31", "deepseek_v31"),
    (r"deepseek-v3|deepseek-r1-0528", "deepseek_v3"),
    (r"deepseek-r1", "deepseek_r1"),
    # Moonshot, MiniMax
    (r"kimi-?k3", "kimi_k3"),
    (r"kimi-?k2", "kimi_k2"),
    (r"minimax-?m3", "minimax_m3"),
    (r"minimax-?m2", "minimax_m2"),
    # Llama
    (r"llama-?4|llama-?32-[13]b", "pythonic"),
    (r"llama-?3[123]", "llama3_json"),
    # Mistral
    (r"mistral-7b|mistral-nemo|mistral-large-(instruct-)?(2407|2411)", "mistral"),
    (r"mistral-small-(instruct-)?2409|pixtral", "mistral"),
    (r"mistral-(small|medium|large-3)|ministral-3-|devstral|magistral", "mistral_v11"),
    # Google
    (r"functiongemma", "functiongemma"),
    (r"gemma-?4", "gemma4"),
    (r"gemma", "gemma"),
    # IBM
    (r"granite-?4", "hermes"),
    (r"granite-20b", "granite_20b_fc"),
    (r"granite-?3", "granite"),
    # others
    (r"internlm|intern-?s1", "internlm"),
    (r"olmo-?3", "olmo3"),
    (r"lfm-?2", "lfm2"),
    (r"seed-oss", "seed_oss"),
    (r"command-?r7b|command-?a", "cohere"),
    (r"phi-?4-mini", "phi4_mini"),
    (r"hunyuan-a13b", "hunyuan_a13b"),
    (r"hy-?[34]", "hy_v3"),
    (r"jamba", "jamba"),
    (r"ernie-?45", "hermes"),
    (r"trinity", "hermes"),
    (r"longcat", "longcat"),
    (r"step-?3", "step3"),
    (r"mimo", "mimo"),
    (r"k2-horizon", "k2_horizon"),
    (r"minicpm-?5", "minicpm5"),
    (r"dots[.-]llm", "dots"),
    (r"muse-(spark|glimmer)", "muse"),
    (r"apertus", "apertus"),
    (r"inkling", "inkling"),
    (r"gigachat-?35", "gigachat35"),
    (r"gigachat-?3", "gigachat3"),
    (r"plamo-?3", "plamo3"),
    (r"claude", "claude_xml"),
)


@lru_cache(1024)
def folded(name: str) -> str:
    """Give the form in which spellings of one name are equal: `deepseek-v3.2`, `deepseekv32`."""
    return re.sub(r"[-_. ]", "", name).lower()


def dialect_called(name: str, known: Collection[str]) -> str | None:
    """Give the one of the known dialects that goes by this name, or by an alias of it."""
    wanted = folded(name)
    row = next((row for row in _ROWS if wanted in map(folded, row.split())), "")
    tried = (wanted, *map(folded, row.split()))
    return next((one for told in tried for one in known if folded(one) == told), None)


def aliases(known: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Give the other names of each of the known dialects."""
    names = tuple(known)
    found = dict.fromkeys(names, tuple[str, ...]())
    for alias in (alias for row in _ROWS for alias in row.split()):
        target = dialect_called(alias, names)
        if target is not None and folded(target) != folded(alias):
            found[target] = (*found[target], alias)
    return found


def near_names(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Give the known names and aliases that look most like this one, at most three."""
    spelled = dict[str, str]()
    for own, others in aliases(known).items():
        spelled |= {folded(alias): alias for alias in (*others, own)}
    return tuple(spelled[near] for near in get_close_matches(folded(name), spelled, n=3))


def name_for_model(model: str) -> str | None:
    """Give the name of the dialect that models of this name write, where it is known."""
    bare = _bare(model)
    rows = (name for pattern, name in _MODELS if re.search(rf"(?<![a-z0-9])(?:{pattern})", bare))
    return next(rows, None)


def _bare(model: str) -> str:
    """Give a model's own name, without owner or folder: `unsloth/Qwen2.5_7B:q4` is `qwen25-7b-q4`.

    Some hosts write `qwen2p5` for 2.5.
    """
    last = re.split(r"/|\\|--", model.strip().rstrip("/\\"))[-1].lower()
    return re.sub(r"(?<=\d)[.p](?=\d)", "", re.sub(r"[_:@ ]", "-", last))
