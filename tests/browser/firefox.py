"""Firefox, driven over WebDriver BiDi (https://w3c.github.io/webdriver-bidi/): the commands that our tests need.

Playwright drives only a Firefox of its own making; this is the one that Debian installs.
"""

import base64
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

from websockets.sync.client import ClientConnection, connect

from tests.support.server import START_TIMEOUT_SECONDS

Answer = TypeVar("Answer")

PREFERENCES: Final[dict[str, bool | str]] = {
    "intl.accept_languages": "en",
    # A microphone that hears a tone, and is always allowed.
    "media.navigator.streams.fake": True,
    "media.navigator.permission.disabled": True,
}
"""Firefox itself adds those that keep a driven browser from updates, telemetry and pages of a first start."""

FIREFOX: Final = shutil.which("firefox-esr") or ""
PULSEAUDIO: Final = shutil.which("pulseaudio") or ""

ADDRESS: Final = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
EVENTS: Final = ("log.entryAdded", "network.beforeRequestSent")
INTERRUPTED: Final = re.compile(
    "error loading dynamically imported module"
    "|A ServiceWorker intercepted the request"
    "|NetworkError when attempting to fetch resource"
    "|status=2152398850"  # NS_BINDING_ABORTED
)
"""What Firefox says of scripts, fonts and answers that are still on their way when a page is left: no faults of it."""

KEYS: Final = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "Space": " ",
    "ArrowDown": "\ue015",
}
FIND: Final = """(selector, name) => [...document.querySelectorAll(selector)].find((element) => {
  const named = element.getAttribute("aria-label") ?? element.labels?.[0]?.innerText ?? element.innerText;
  return element.checkVisibility({ visibilityProperty: true }) && (!name || named.trim() === name);
})"""
SCROLL: Final = "{ block: 'center', behavior: 'instant' }"
POLL_SECONDS: Final = 0.02


class CommandError(Exception):
    """A command that Firefox could not carry out, or an exception of its JavaScript."""


class Firefox:
    """A running Firefox."""

    def __init__(self, socket: ClientConnection) -> None:
        """Start a session on a connection to it."""
        self._socket = socket
        self._commands = 0
        self._pages: dict[str, Page] = {}
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=EVENTS)

    def send(self, method: str, **params: object) -> dict[str, Any]:
        """Send a command, and return its result. Events that arrive meanwhile go to their pages."""
        self._commands += 1
        self._socket.send(json.dumps({"id": self._commands, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(timeout=START_TIMEOUT_SECONDS))
            if message["type"] == "event":
                self._note(message["method"], message["params"])
            elif message["id"] == self._commands:
                break
        if message["type"] == "error":
            raise CommandError(f"{method}: {message['error']}: {message['message']}")
        result: dict[str, Any] = message["result"]
        return result

    def _note(self, event: str, params: dict[str, Any]) -> None:
        """Record script errors and requests to other hosts as problems of their page."""
        context = params["source"].get("context") if event == "log.entryAdded" else params["context"]
        page = self._pages.get(context)
        if page is None:
            return
        if event == "log.entryAdded" and params["type"] == "javascript" and params["level"] == "error":
            if not INTERRUPTED.search(params["text"]):
                page.problems.append(params["text"])
        elif event == "network.beforeRequestSent":
            address = params["request"]["url"]
            if not address.startswith((page.base, "blob:", "data:")):
                page.problems.append(address)

    @contextmanager
    def page(self, base: str, width: int) -> Iterator["Page"]:
        """Open a page that shares neither cookies nor storage nor workers with another. Its problems fail the test."""
        user = self.send("browser.createUserContext")["userContext"]
        context = self.send("browsingContext.create", type="tab", userContext=user)["context"]
        self.send("browsingContext.setViewport", context=context, viewport={"width": width, "height": 800})
        page = self._pages[context] = Page(self, context, base)
        yield page
        del self._pages[context]
        self.send("browser.removeUserContext", userContext=user)
        assert not page.problems, "\n".join(page.problems)


@dataclass
class Page:
    """A page in a tab, and what went wrong on it."""

    firefox: Firefox
    context: str
    base: str
    problems: list[str] = field(default_factory=list)

    def send(self, method: str, **params: object) -> dict[str, Any]:
        """Send a command about this page."""
        return self.firefox.send(method, context=self.context, **params)

    def open(self, address: str) -> None:
        """Open an address of the site."""
        self.send("browsingContext.navigate", url=self.base + address, wait="complete")

    def reload(self) -> None:
        """Load the page again."""
        self.send("browsingContext.reload", wait="complete")

    def call(self, function: str, *arguments: str) -> dict[str, Any]:
        """Call a function of JavaScript with texts, and return its value, or that of its promise, as BiDi writes it."""
        answer = self.firefox.send(
            "script.callFunction",
            functionDeclaration=function,
            arguments=[{"type": "string", "value": each} for each in arguments],
            target={"context": self.context},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise CommandError(f"{function}: {answer['exceptionDetails']['text']}")
        value: dict[str, Any] = answer["result"]
        return value

    def evaluate(self, expression: str) -> Any:  # noqa: ANN401  # any JSON
        """Return the value of an expression of JavaScript, or of its promise."""
        return json.loads(self.call(f"async () => JSON.stringify((await ({expression})) ?? null)")["value"])

    def wait(self, expression: str) -> None:
        """Wait until an expression of JavaScript is true, on this page or the next one."""
        poll(lambda: self.evaluate(expression), lambda: f"{expression}\n{self.evaluate('document.body.innerText')}")

    def wait_for_text(self, text: str) -> None:
        """Wait until a text can be read on the page."""
        self.wait(f"document.body?.innerText.includes({json.dumps(text)})")

    def find(self, selector: str, name: str = "") -> "Element":
        """Wait for the first visible element of a CSS selector that has a name: a label, or its text."""
        element = Element(self, selector, name)
        element.node()
        return element

    def press(self, key: str) -> None:
        """Press a key: a name of KEYS, or a character."""
        strokes = [{"type": stroke, "value": KEYS.get(key, key)} for stroke in ("keyDown", "keyUp")]
        self.send("input.performActions", actions=[{"type": "key", "id": "keyboard", "actions": strokes}])

    def press_until(self, key: str, expression: str) -> None:
        """Press a key again and again until an expression of JavaScript is true."""

        def is_true() -> bool:
            self.press(key)
            return bool(self.evaluate(expression))

        poll(is_true, lambda: f"{key}: {expression}")

    def type(self, text: str) -> None:
        """Type a text where the focus is, key by key."""
        for character in text:
            self.press(character)

    def screenshot(self, file: Path) -> None:
        """Write a picture of the whole page into a file."""
        picture = self.send("browsingContext.captureScreenshot", origin="document")["data"]
        file.write_bytes(base64.b64decode(picture))

    def print(self) -> bytes:
        """Print the page into a PDF."""
        return base64.b64decode(self.send("browsingContext.print", background=True)["data"])


@dataclass(frozen=True)
class Element:
    """An element of a page, looked for again each time: scripts put others in its place."""

    page: Page
    selector: str
    name: str

    def node(self) -> dict[str, str]:
        """Wait for it, bring it into view, and return what commands call it."""
        function = (
            f"(...given) => {{ const found = ({FIND})(...given); found?.scrollIntoView({SCROLL}); return found; }}"
        )

        def first() -> dict[str, str] | None:
            found = self.page.call(function, self.selector, self.name)
            return {"sharedId": found["sharedId"]} if found["type"] == "node" else None

        return poll(first, lambda: f"{self.selector} {self.name}\n{self.page.evaluate('document.body.innerText')}")

    @property
    def text(self) -> str:
        """The text as it can be read."""
        return str(self.page.call(f"(...given) => ({FIND})(...given).innerText", self.selector, self.name)["value"])

    def click(self) -> None:
        """Move the mouse to its middle, and click."""

        def move() -> bool:
            origin = {"type": "element", "element": self.node()}
            self._use_mouse({"type": "pointerMove", "x": 0, "y": 0, "origin": origin})
            return True

        poll(move, lambda: self.selector)
        self._use_mouse({"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def _use_mouse(self, *actions: dict[str, object]) -> None:
        self.page.send("input.performActions", actions=[{"type": "pointer", "id": "mouse", "actions": actions}])

    def type(self, text: str) -> None:
        """Click a field, and type a text in the place of what it holds."""
        self.click()
        self.page.evaluate("document.activeElement.select()")
        self.page.type(text)

    def choose(self, file: Path) -> None:
        """Choose a file in a field for files."""
        self.page.send("input.setFiles", element=self.node(), files=[str(file)])


def poll(ask: Callable[[], Answer | None], problem: Callable[[], str]) -> Answer:
    """Retry until there is a response. A page that is being left cannot respond, but the next one can."""
    give_up = time.monotonic() + START_TIMEOUT_SECONDS
    while True:
        try:
            answer = ask()
        except CommandError:
            if time.monotonic() > give_up:
                raise
        else:
            if answer:
                return answer
            assert time.monotonic() < give_up, problem()
        time.sleep(POLL_SECONDS)


@contextmanager
def running_firefox(folder: Path) -> Iterator[Firefox]:
    """Start Firefox without a window, with a new profile in a folder, and end it."""
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
    folder.joinpath("user.js").write_text("".join(lines), encoding="utf-8")
    log = folder / "firefox.log"
    command = [FIREFOX, "--headless", "--remote-debugging-port=0", "--profile", str(folder)]
    with _sound_server(folder) as sound, _process(command, log, HOME=str(folder), PULSE_SERVER=sound) as process:

        def address() -> str:
            assert process.poll() is None, log.read_text()
            listening = ADDRESS.search(log.read_text())
            return listening[1] if listening else ""

        # Without pings: a busy machine may answer them late.
        with connect(poll(address, log.read_text) + "/session", max_size=None, ping_interval=None) as socket:
            yield Firefox(socket)


@contextmanager
def _sound_server(folder: Path) -> Iterator[str]:
    """Run a sound server with a loudspeaker that is no device, and return its address.

    Without any loudspeaker Firefox lets no AudioContext run, not even one that only listens.
    """
    socket = folder / "sound"
    modules = ("module-null-sink", f"module-native-protocol-unix socket={socket} auth-anonymous=1")
    options = ["-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes"]
    command = [PULSEAUDIO, *options, *(f"--load={module}" for module in modules)]
    log = folder / "pulseaudio.log"
    with _process(command, log, HOME=str(folder), PULSE_RUNTIME_PATH=str(folder)):
        poll(socket.exists, log.read_text)
        yield f"unix:{socket}"


@contextmanager
def _process(command: list[str], log: Path, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program, and end it."""
    with log.open("wb") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=stream, env=os.environ | environment)  # noqa: S603
    try:
        yield process
    finally:
        process.terminate()
        process.wait(START_TIMEOUT_SECONDS)
