import doctest
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_the_example_of_the_readme_gives_the_documented_output() -> None:
    result = doctest.testfile(str(README), module_relative=False, encoding="utf-8")

    assert result.attempted > 0
    assert result.failed == 0
