"""The file that a site is written into: libzim, which is asked for only here."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Protocol, Self, cast

from abhidhan.formats.zim.pages import Page
from abhidhan.formats.zim.reproducible import settle
from abhidhan.records.errors import InputError

HTML: Final = "text/html"
ICON_SIZE: Final = 48
NOT_INSTALLED: Final = (
    "ZIM files need the optional package `zim`: docs/installing.md says how to install it. Or choose another format."
)


class _Creator(Protocol):
    """What is used of libzim's Creator, which comes without types."""

    def config_indexing(self, indexing: bool, language: str) -> "_Creator": ...  # noqa: FBT001  # libzim's own
    def config_nbworkers(self, workers: int) -> "_Creator": ...
    def set_mainpath(self, path: str) -> "_Creator": ...
    def add_item(self, item: "_Provided") -> None: ...
    def add_redirection(self, path: str, title: str, target: str, hints: Mapping[Any, int]) -> None: ...
    def add_metadata(self, name: str, content: bytes, mimetype: str) -> None: ...
    def add_illustration(self, size: int, content: bytes) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *error: object) -> None: ...


class _Provided(NamedTuple):
    """A page or a file as libzim asks for it."""

    path: str
    title: str
    media_type: str
    content: bytes
    hints: Mapping[Any, int]
    provide: Callable[[bytes], object]

    def get_path(self) -> str:
        return self.path

    def get_title(self) -> str:
        return self.title

    def get_mimetype(self) -> str:
        return self.media_type

    def get_hints(self) -> Mapping[Any, int]:
        return self.hints

    def get_contentprovider(self) -> object:
        return self.provide(self.content)


class Site:
    """A file that takes pages one after another."""

    def __init__(self, target: Path, first: str, language: str) -> None:
        """Begin a file with its first page; texts are indexed as of a language (ISO 639-3). Raises InputError."""
        try:
            from libzim import writer  # type: ignore[import-untyped]  # noqa: PLC0415  # optional: under the GPL
        except ImportError as error:
            raise InputError.of("format", NOT_INSTALLED) from error

        self._target = target
        self._front = {writer.Hint.FRONT_ARTICLE: 1}
        self._beside = {writer.Hint.FRONT_ARTICLE: 0}
        self._provide = cast("Callable[[bytes], object]", writer.StringProvider)
        creator = cast("_Creator", writer.Creator(target))
        # One worker packs in the same order each time.
        self._creator = creator.config_indexing(True, language).config_nbworkers(1)  # noqa: FBT003  # libzim's own
        self._creator.set_mainpath(first)

    def add(self, page: Page) -> None:
        """Add a page."""
        hints = self._front if page.is_entry else self._beside
        self._add(_Provided(page.path, page.title, HTML, page.html.encode(), hints, self._provide))

    def add_file(self, path: str, media_type: str, content: bytes) -> None:
        """Add a file that pages refer to."""
        self._add(_Provided(path, "", media_type, content, self._beside, self._provide))

    def _add(self, item: _Provided) -> None:
        with _told():
            self._creator.add_item(item)

    def add_redirection(self, path: str, title: str, target: str) -> None:
        """Let a page be found by another title."""
        with _told():
            self._creator.add_redirection(path, title, target, self._front)

    def add_metadata(self, name: str, value: str) -> None:
        """Add a fact about the file, by the name that openZIM has for it."""
        with _told():
            self._creator.add_metadata(name, value.encode(), "text/plain;charset=utf-8")

    def add_illustration(self, icon: bytes) -> None:
        """Add the picture of the file, a PNG of 48 by 48."""
        with _told():
            self._creator.add_illustration(ICON_SIZE, icon)

    def __enter__(self) -> Self:
        """Use it in a `with` block."""
        with _told(), _silence():
            self._creator.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Finish the file. Raises OSError where there is no room for it."""
        if kind is not None:
            # Whatever else goes wrong now, what went wrong first is told.
            with suppress(RuntimeError, SystemError), _silence():
                self._creator.__exit__(kind, error, trace)
            return
        with _told(), _silence():
            self._creator.__exit__(None, None, None)
        settle(self._target)


@contextmanager
def _told() -> Iterator[None]:
    """Raise what libzim comes upon as what it is: a file that cannot be written, or somebody who stops the program."""
    try:
        yield
    except (RuntimeError, SystemError) as error:
        # Of what our own code raises while it is asked, the text or the cause tells.
        if KeyboardInterrupt.__name__ in str(error) or isinstance(error.__cause__, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        raise OSError(str(error).strip().rpartition("\n")[2]) from error


@contextmanager
def _silence() -> Iterator[None]:
    """Keep standard output and errors to ourselves: libzim tells there what it does, and files may be written to them.

    What goes wrong it raises besides.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    kept = [(stream, os.dup(stream)) for stream in (1, 2)]
    try:
        for stream, _ in kept:
            os.dup2(nowhere, stream)
        yield
    finally:
        for stream, copy in kept:
            os.dup2(copy, stream)
            os.close(copy)
        os.close(nowhere)
