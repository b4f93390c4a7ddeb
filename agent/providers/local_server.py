"""llama.cpp's own HTTP server in a process of its own, run as a file by `agent.providers.local`.

Arguments: weights, tokens of context. Writes its address as one line to stdout, then serves until
stdin ends, so it cannot outlive the program that holds the other end, however that one died.
Imports nothing of the house: it runs in any interpreter that has `xllamacpp`.
"""

import sys
from importlib import import_module

# The weights are those of a base model, which goes on with a transcript better than with a template
# of special tokens that it never saw.
TRANSCRIPT = (
    "{% for m in messages %}"
    "{% if m.role == 'system' %}{{ m.content }}\n\n"
    "{% elif m.role == 'user' %}User: {{ m.content }}\n"
    "{% else %}Assistant: {{ m.content }}\n{% endif %}"
    "{% endfor %}Assistant:"
)


def main(weights: str, context: int) -> None:
    """Serve `weights` on a free loopback port until stdin ends."""
    xllamacpp = import_module("xllamacpp")
    settings = xllamacpp.CommonParams()
    settings.model.path = weights
    settings.model_alias = {"gemma-3-270m"}
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0
    settings.n_ctx = context
    settings.n_parallel = 1
    settings.chat_template = TRANSCRIPT
    settings.verbosity = -1
    settings.ui = False
    server = xllamacpp.Server(settings)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
