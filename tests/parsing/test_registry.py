from __future__ import annotations

import pytest

from parsing import (
    UnknownDialect,
    canonical_name,
    dialect,
    dialect_aliases,
    dialect_for_model,
    dialect_names,
)
from parsing.aliases import dialect_called, name_for_model

# ours: how vLLM, SGLang and LMDeploy (in this order, told once) call their parsers of it
SERVERS = {
    "hermes": "hermes qwen3_json qwen qwen25 trinity granite4 ernie45 qwen2d5",
    "qwen3": "qwen3",
    "qwen3_coder": "qwen3_coder qwen3_xml step3p5 step5 nemotron_v3 nanbeige qwen3coder "
    "interns2-preview",
    "harmony": "openai openai_gptoss gpt-oss",
    "glm45": "glm45 glm",
    "glm47": "glm47 ling3",
    "deepseek_v3": "deepseek_v3 deepseekv3",
    "deepseek_v31": "deepseek_v31 deepseekv31",
    "deepseek_v32": "deepseek_v32 deepseekv32 deepseek-v32 deepseek-v3.2",
    "deepseek_v4": "deepseek_v4 deepseekv4 deepseek-v4",
    "deepseek_v41": "deepseek_v41 deepseekv41",
    "dsml": "dsml",
    "kimi_k2": "kimi_k2 kimi-k2",
    "kimi_k3": "kimi_k3",
    "minimax_m2": "minimax_m2 minimax-m2",
    "minimax_m3": "minimax_m3 minimax-m3",
    "llama3_json": "llama3_json llama4_json",
    "llama3": "llama3",
    "pythonic": "llama4_pythonic pythonic",
    "olmo3": "olmo3",
    "lfm2": "lfm2",
    "mistral": "mistral",
    "mistral_v11": "mistral_v11",
    "gemma4": "gemma4",
    "functiongemma": "functiongemma",
    "granite": "granite",
    "granite_20b_fc": "granite-20b-fc",
    "seed_oss": "seed_oss",
    "cohere": "cohere_command3 cohere_command4",
    "phi4_mini": "phi4_mini_json",
    "internlm": "internlm interns1 intern-s1",
    "hunyuan_a13b": "hunyuan_a13b",
    "hy_v3": "hy_v3 hy_v4 hunyuan",
    "jamba": "jamba",
    "longcat": "longcat",
    "xlam": "xlam",
    "step3": "step3",
    "mimo": "mimo",
    "poolside_v1": "poolside_v1",
    "spark25": "spark25",
    "iquest_q1": "iquest_q1",
    "k2_horizon": "k2_horizon",
    "minicpm5": "minicpm5",
    "dots": "dots",
    "muse": "muse musespark1x muse_glimmer",
    "apertus": "apertus apertus2509",
    "inkling": "inkling",
    "gigachat3": "gigachat3",
    "gigachat35": "gigachat35",
    "plamo3": "plamo3",
}
NAMES = [(name, ours) for ours, names in SERVERS.items() for name in names.split()]
MODELS = {
    "Qwen/Qwen2.5-Coder-32B-Instruct": "hermes",
    "accounts/fireworks/models/qwen2p5-72b-instruct": "hermes",
    "NousResearch/Hermes-3-Llama-3.1-8B": "hermes",
    "ibm-granite/granite-4.0-h-small": "hermes",
    "baidu/ERNIE-4.5-21B-A3B-Thinking": "hermes",
    "Qwen/Qwen3-8B": "qwen3",
    "qwen3:4b": "qwen3",
    "Qwen/Qwen3-235B-A22B-Thinking-2507": "qwen3",
    "Qwen/QwQ-32B": "qwen3",
    "Qwen/Qwen3-Coder-30B-A3B-Instruct": "qwen3_coder",
    "unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF:Q4_K_M": "qwen3_coder",
    "/models/qwen3-coder-480b-a35b-q4_k_m.gguf": "qwen3_coder",
    "models--Qwen--Qwen3-Coder-Next": "qwen3_coder",
    "qwen3-coder:30b": "qwen3_coder",
    "Qwen/Qwen3.5-9B": "qwen3_coder",
    "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": "qwen3_coder",
    "stepfun-ai/Step-3.5-Flash": "qwen3_coder",
    "stepfun-ai/step3": "step3",
    "openai/gpt-oss-20b": "harmony",
    "gpt-oss:120b-cloud": "harmony",
    "zai-org/GLM-4.5-Air": "glm45",
    "accounts/fireworks/models/glm-4p6": "glm45",
    "zai-org/GLM-4.7-Flash": "glm47",
    "zai-org/GLM-5": "glm47",
    "deepseek-ai/DeepSeek-V3-0324": "deepseek_v3",
    "deepseek-ai/DeepSeek-R1-0528": "deepseek_v3",
    "deepseek-ai/DeepSeek-V3.1-Terminus": "deepseek_v31",
    "deepseek-ai/DeepSeek-V3.2-Exp": "deepseek_v32",
    "deepseek-ai/DeepSeek-V4-Flash": "deepseek_v4",
    "deepseek-ai/DeepSeek-V4.1": "deepseek_v41",
    "deepseek-ai/DeepSeek-R1": "deepseek_r1",
    "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B": "deepseek_r1",
    "deepseek-r1:8b": "deepseek_r1",
    "moonshotai/Kimi-K2-Instruct-0905": "kimi_k2",
    "moonshotai/Kimi-K2.5": "kimi_k2",
    "moonshotai/Kimi-K3": "kimi_k3",
    "MiniMaxAI/MiniMax-M2.1": "minimax_m2",
    "meta-llama/Llama-3.3-70B-Instruct": "llama3_json",
    "llama3.1:8b": "llama3_json",
    "meta-llama/Llama-3.2-1B-Instruct": "pythonic",
    "meta-llama/Llama-4-Scout-17B-16E-Instruct": "pythonic",
    "mistralai/Mistral-7B-Instruct-v0.3": "mistral",
    "mistralai/Mistral-Nemo-Instruct-2407": "mistral",
    "mistralai/Mistral-Small-3.2-24B-Instruct-2506": "mistral_v11",
    "mistralai/Devstral-Small-2507": "mistral_v11",
    "google/gemma-3-27b-it": "gemma",
    "google/gemma-4-31B-it": "gemma4",
    "google/functiongemma-270m-it": "functiongemma",
    "internlm/Intern-S1": "internlm",
    "internlm/internlm2_5-7b-chat": "internlm",
    "ibm-granite/granite-3.2-8b-instruct": "granite",
    "ByteDance-Seed/Seed-OSS-36B-Instruct": "seed_oss",
    "CohereLabs/c4ai-command-r7b-12-2024": "cohere",
    "XiaomiMiMo/MiMo-V2-Flash": "mimo",
}
STRANGERS = ["", "/", "gpt-4o", "llama3", "mistralai/Unheard-Of", "nobody/knows-1b", "glm-4-9b"]


@pytest.mark.parametrize(("name", "ours"), NAMES)
def test_names_of_servers_parsers_lead_to_our_dialects(name: str, ours: str) -> None:
    for spelled in (name, name.upper(), name.replace("-", "_"), name.replace("_", "-")):
        assert dialect_called(spelled, tuple(SERVERS)) == ours


def test_a_name_whose_dialect_is_not_there_leads_nowhere() -> None:
    assert dialect_called("gpt-oss", ("cline", "hermes")) is None
    assert dialect_called("llama4_json", ("cline", "hermes")) is None


def test_each_name_and_alias_gives_a_dialect_that_knows_its_name() -> None:
    known = dialect_aliases()

    assert list(known) == list(dialect_names())
    for name, others in known.items():
        assert dialect(name).name == name
        assert {canonical_name(other) for other in others} <= {name}


def test_aliases_are_told_once_and_are_no_names_of_ours() -> None:
    told = [other for others in dialect_aliases().values() for other in others]

    assert len(told) == len(set(told))
    assert set(told) & set(dialect_names()) == set()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("clyne", "did you mean cline"),
        ("pasthrough", "did you mean passthrough"),
        ("zzzz", "there are: cline, cline-v2, "),
        ("", "there are: cline, cline-v2, "),
    ],
)
def test_an_unknown_name_is_met_with_near_ones(name: str, words: str) -> None:
    with pytest.raises(UnknownDialect, match=words):
        dialect(name)


@pytest.mark.parametrize(("model", "ours"), MODELS.items())
def test_a_models_name_tells_its_dialect(model: str, ours: str) -> None:
    assert name_for_model(model) == ours
    assert name_for_model(model.lower()) == ours
    assert dialect_for_model(model) in (ours, None)


@pytest.mark.parametrize("model", STRANGERS)
def test_an_unknown_models_dialect_is_not_guessed(model: str) -> None:
    assert dialect_for_model(model) is None
