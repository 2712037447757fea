import pytest

from assamese.language_rules import LanguageRules
from assamese.tables import decode_table

GOOD = """# Source: none.
articles = ["ka"]

[letters]
"a" = "b"

[[forms.endings]]
any = ["x"]

[[forms.endings]]
any = [
  "y", ["z", ["", "a"]],
]

[examples]
forms = [["ax", "a"]]
"""


def test_an_error_in_a_table_names_the_file_and_the_line(subtests: pytest.Subtests) -> None:
    """An error within a list of several lines names the line of its key, and the place in the list."""
    decode_table("tables/languages/xx.toml", GOOD.encode(), LanguageRules)
    for line, old, new, says in [
        (2, '["ka"]', '"ka"', "line 2: Expected `array`, got `str`"),
        (2, '["ka"]', '["Ka"]', "line 2: `articles`: Ka is not one word in small letters"),
        (2, "articles", "article", "line 2: Object contains unknown field `article`"),
        (5, '"a"', '"aa"', "line 4: `letters`: aa is not one character"),
        (5, '"b"', "1", "line 4: Expected `str`, got `int`"),
        (5, '"a" =', '"a"', "(at line 5, column"),
        (7, "endings", "ending", "line 7: Object contains unknown field `ending`"),
        (8, '"x"', "1", "line 8: Expected `str | array`, got `int`"),
        (11, "any", "every", "line 11: Object contains unknown field `every`"),
        (12, '"y"', "1.5", "line 11: Expected `str | array`, got `float`"),
        (16, "forms", "form", "line 16: Object contains unknown field `form`"),
        (16, '"ax", "a"', '"ax"', "line 16: Expected `array` of length 2"),
    ]:
        with subtests.test(says):
            lines = GOOD.splitlines()
            lines[line - 1] = lines[line - 1].replace(old, new)

            with pytest.raises(ValueError, match=r"^tables/languages/xx\.toml") as raised:
                decode_table("tables/languages/xx.toml", "\n".join(lines).encode(), LanguageRules)

            assert says in str(raised.value)


def test_an_alphabet_with_a_repeated_letter_is_rejected() -> None:
    with pytest.raises(ValueError, match=r"^xx\.toml, line 3: `alphabet`: ng stands there twice"):
        decode_table("xx.toml", b"# A source.\n\nalphabet = 'a ng b ng'\n", LanguageRules)
