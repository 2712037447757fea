"""Find the line of an example in the file of its language."""

from importlib.resources import files


def place_of(language: str, text: str) -> str:
    """Return the file and the line of an example; examples stand at the end of a file."""
    file = f"languages/{language}.toml"
    lines = files("assamese.tables").joinpath(file).read_text(encoding="utf-8").splitlines()
    line = max((number for number, line in enumerate(lines, 1) if f'"{text}"' in line), default=0)
    return f"tables/{file}, line {line}"
