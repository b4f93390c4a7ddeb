from ui.terminal.diff import counts, diff_lines
from ui.terminal.styles import text_of

DIFF = """--- a/calc.py
+++ b/calc.py
@@ -1,3 +1,4 @@
 def add(a, b):
-    return a - b
+    return a + b
+\t# mended \x1b[2J
 mid
@@ -20 +21 @@
--- a line that looks like a header
+++ another
\\ No newline at end of file
"""


def test_diff_shows_each_line_with_its_number() -> None:
    assert text_of(diff_lines(DIFF)).split("\n")[:-1] == [
        "      1   def add(a, b):",
        "      2 -     return a - b",
        "      2 +     return a + b",
        "      3 +     # mended \\x1b[2J",
        "      4   mid",
        "    ...",
        "     20 - -- a line that looks like a header",
        "     21 + ++ another",
        "          (No newline at end of file)",
    ]


def test_diff_counts_what_was_added_and_removed() -> None:
    assert counts(DIFF) == (3, 2)
    assert counts("") == (0, 0)


def test_diff_shows_line_endings_only_where_they_differ() -> None:
    same = "@@ -1,2 +1,2 @@\n one\r\n-two\r\n+three\r\n"
    assert "\\x0d" not in text_of(diff_lines(same))
    mixed = "@@ -1,2 +1,2 @@\n one\r\n-two\r\n+two\n"
    assert text_of(diff_lines(mixed)).count("\\x0d") == 2
