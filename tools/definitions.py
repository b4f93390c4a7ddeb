"""Which syntax nodes are definitions: one row for each language, read by one walk.

The law: another language is one more row; nothing here raises on what a file holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_DEEPEST = 6
_FUNCTIONS = frozenset(
    {"arrow_function", "function_expression", "generator_function", "class"}
    | {"function_definition", "function_declarator", "pointer_declarator"}
)


@dataclass(frozen=True, slots=True)
class Language:
    """A language as ast-grep names it, and its kinds of nodes.

    `shown` are definitions, `valued` are too if they hold a function or a class; `opened` are
    looked into: those that are shown as well have members, one step further in.
    """

    name: str
    extensions: frozenset[str]
    shown: frozenset[str]
    opened: frozenset[str]
    valued: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Definition:
    """The line (from 1) where something is named, and how deep it lies in other definitions."""

    line: int
    depth: int


def _row(name: str, extensions: str, shown: str, opened: str, valued: str = "") -> Language:
    sets = (frozenset(words.split()) for words in (extensions, shown, opened, valued))
    return Language(name, *sets)


_JS_SHOWN = (
    "function_declaration generator_function_declaration class_declaration method_definition"
)
_TS_SHOWN = (
    f"{_JS_SHOWN} abstract_class_declaration interface_declaration type_alias_declaration "
    "enum_declaration function_signature internal_module module abstract_method_signature"
)
_TS_OPENED = (
    "program export_statement class_declaration abstract_class_declaration class_body "
    "ambient_declaration internal_module module statement_block expression_statement "
    "lexical_declaration variable_declaration"
)
_C_SHOWN = "function_definition struct_specifier union_specifier enum_specifier type_definition"
_C_OPENED = (
    "translation_unit preproc_ifdef preproc_if preproc_else preproc_elif linkage_specification "
    "declaration_list"
)

LANGUAGES = (
    _row(
        "Python",
        "py pyi pyw",
        "function_definition class_definition",
        "module class_definition block decorated_definition if_statement else_clause "
        "try_statement except_clause",
    ),
    _row(
        "JavaScript",
        "js jsx mjs cjs",
        _JS_SHOWN,
        "program export_statement class_declaration class_body lexical_declaration "
        "variable_declaration",
        "variable_declarator field_definition",
    ),
    _row(
        "TypeScript",
        "ts mts cts",
        _TS_SHOWN,
        _TS_OPENED,
        "variable_declarator public_field_definition",
    ),
    _row("Tsx", "tsx", _TS_SHOWN, _TS_OPENED, "variable_declarator public_field_definition"),
    _row(
        "Rust",
        "rs",
        "function_item struct_item enum_item union_item trait_item impl_item mod_item const_item "
        "static_item type_item macro_definition function_signature_item",
        "source_file trait_item impl_item mod_item declaration_list foreign_mod_item",
    ),
    _row(
        "Go",
        "go",
        "function_declaration method_declaration type_spec type_alias",
        "source_file type_declaration",
    ),
    _row(
        "Java",
        "java",
        "class_declaration interface_declaration enum_declaration record_declaration "
        "annotation_type_declaration method_declaration constructor_declaration",
        "program class_declaration interface_declaration enum_declaration record_declaration "
        "class_body interface_body enum_body enum_body_declarations",
    ),
    _row("C", "c", f"{_C_SHOWN} preproc_function_def", _C_OPENED, "declaration"),
    _row(
        "Cpp",
        "cc cpp cxx h hh hpp hxx inl ipp cu cuh",
        f"{_C_SHOWN} class_specifier namespace_definition alias_declaration concept_definition "
        "preproc_function_def",
        f"{_C_OPENED} class_specifier struct_specifier namespace_definition "
        "template_declaration field_declaration_list",
        "declaration field_declaration",
    ),
    _row(
        "CSharp",
        "cs",
        "namespace_declaration class_declaration interface_declaration struct_declaration "
        "enum_declaration record_declaration delegate_declaration method_declaration "
        "constructor_declaration property_declaration",
        "compilation_unit namespace_declaration file_scoped_namespace_declaration "
        "declaration_list class_declaration interface_declaration struct_declaration "
        "record_declaration",
    ),
    _row(
        "Ruby",
        "rb rake gemspec",
        "module class method singleton_method",
        "program module class body_statement singleton_class",
    ),
    _row(
        "Kotlin",
        "kt kts",
        "class_declaration object_declaration function_declaration type_alias companion_object",
        "source_file class_declaration object_declaration companion_object class_body "
        "enum_class_body",
    ),
    _row(
        "Php",
        "php phtml",
        "function_definition class_declaration interface_declaration trait_declaration "
        "enum_declaration method_declaration",
        "program namespace_definition compound_statement class_declaration "
        "interface_declaration trait_declaration enum_declaration declaration_list "
        "enum_declaration_list",
    ),
    _row(
        "Swift",
        "swift",
        "class_declaration protocol_declaration function_declaration typealias_declaration "
        "init_declaration protocol_function_declaration",
        "source_file class_declaration protocol_declaration class_body enum_class_body "
        "protocol_body",
    ),
    _row(
        "Scala",
        "scala sc",
        "class_definition object_definition trait_definition function_definition "
        "function_declaration type_definition enum_definition given_definition",
        "compilation_unit package_clause class_definition object_definition trait_definition "
        "enum_definition template_body enum_body",
    ),
    _row(
        "Lua",
        "lua",
        "function_declaration",
        "chunk variable_declaration",
        "assignment_statement",
    ),
    _row("Bash", "sh bash", "function_definition", "program if_statement"),
)


def language_of(path: PurePath) -> Language | None:
    """Find a file's language by the end of its name."""
    return _by_extension().get(path.suffix.removeprefix(".").lower())


def definitions(text: str, language: Language) -> list[Definition]:
    """Find the definitions in a text of this language, in order, each line once."""
    from ast_grep_py import SgRoot

    root = SgRoot(text, language.name).root()
    found: dict[int, Definition] = {}
    for definition in _within(root, language, 0, 0):
        found.setdefault(definition.line, definition)
    return list(found.values())


@cache
def _by_extension() -> dict[str, Language]:
    return {end: language for language in LANGUAGES for end in language.extensions}


def _within(node: SgNode, language: Language, depth: int, level: int) -> Iterator[Definition]:
    for child in node.named_children():
        kind = child.kind()
        shown = kind in language.shown or (kind in language.valued and _holds_function(child))
        if shown:
            yield Definition(_line(child), depth)
        if (kind in language.opened or kind == "ERROR") and level < _DEEPEST:
            yield from _within(child, language, depth + shown, level + 1)


def _holds_function(node: SgNode) -> bool:
    children = node.named_children()
    inner = [grandchild for child in children for grandchild in child.named_children()]
    return any(one.kind() in _FUNCTIONS for one in (*children, *inner[:20]))


def _line(node: SgNode) -> int:
    """Give the line of the name: attributes and modifiers may stand on lines before it."""
    named = node.field("name") or node.field("declarator") or _identifier(node) or node
    return named.range().start.line + 1


def _identifier(node: SgNode) -> SgNode | None:
    children = node.named_children()
    return next((child for child in children if child.kind().endswith("identifier")), None)
