"""Debian's nginx and Caddy with the files of `deploy/`, in front of a server of the tests."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from tests.support.ports import free_port

DEPLOY_FOLDER: Final = Path(__file__).parents[2] / "deploy"
SKIP_REASON: Final = "the examples for proxies are left out: `apt-get install nginx caddy` brings what runs them"

NGINX_TEMPLATE: Final = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
{user}
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{ours}
}}
"""


@contextmanager
def run_nginx(
    folder: Path, *servers: int, readers: Sequence[int] = (), changes: Mapping[str, str] | None = None
) -> Iterator[int]:
    """Run nginx with `deploy/nginx.conf` in front of the servers at these ports, and yield its port.

    `readers` are ports of read-only servers; `changes` are texts of that file and their replacements.
    """
    program = _find_program("nginx")
    port = free_port()
    file = _nginx_file(folder, port, servers, readers or servers, changes or {})
    tested = subprocess.run([program, "-t", "-c", str(file)], capture_output=True, text=True, check=False)  # noqa: S603
    assert tested.returncode == 0, tested.stderr
    with _running([program, "-c", str(file)], port, folder):
        yield port


@contextmanager
def run_caddy(folder: Path, server: int) -> Iterator[int]:
    """Run Caddy with `deploy/Caddyfile` in front of the server at this port, and yield its port."""
    program = _find_program("caddy")
    port = free_port()
    ours = _replace_texts(
        DEPLOY_FOLDER / "Caddyfile", {"dictionary.example.org": f"http://:{port}", ":8080": f":{server}"}
    )
    file = folder / "Caddyfile"
    file.write_text("{\n\tadmin off\n}\n" + ours)
    command = [program, "run", "--adapter", "caddyfile", "--config", str(file)]
    with _running(command, port, folder, HOME=str(folder), XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder)):
        yield port


def _nginx_file(
    folder: Path, port: int, servers: Sequence[int], readers: Sequence[int], changes: Mapping[str, str]
) -> Path:
    """Write nginx's main configuration around ours, with other addresses and folders, and the changes."""
    ours = _replace_texts(
        DEPLOY_FOLDER / "nginx.conf",
        {
            _upstream("abhidhan", [8080]): _upstream("abhidhan", servers),
            _upstream("abhidhan_readers", [8080]): _upstream("abhidhan_readers", readers),
            "listen 80;": f"listen 127.0.0.1:{port};",
            "    listen [::]:80;\n": "",
            "/var/lib/nginx/abhidhan": f"{folder}/cache",
            **changes,
        },
    )
    file = folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""
    file.write_text(NGINX_TEMPLATE.format(folder=folder, user=user, ours=ours))
    return file


def _upstream(name: str, servers: Sequence[int]) -> str:
    lines = "".join(f"    server 127.0.0.1:{each};\n" for each in servers)
    return f"upstream {name} {{\n{lines}}}\n"


def _replace_texts(file: Path, replacements: Mapping[str, str]) -> str:
    text = file.read_text()
    for ours, theirs in replacements.items():
        assert ours in text, f"{file.name} does not say {ours}"
        text = text.replace(ours, theirs)
    return text


def _find_program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        if os.environ.get("ABHIDHAN_CI"):
            pytest.fail(SKIP_REASON)
        pytest.skip(SKIP_REASON)
    return found


@contextmanager
def _running(command: list[str], port: int, folder: Path, **variables: str) -> Iterator[None]:
    with (folder / "proxy.log").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603  # the programs above
            command, env={**os.environ, **variables}, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    try:
        give_up = time.monotonic() + 60
        while not _is_listening(port):
            assert process.poll() is None, (folder / "proxy.log").read_text()
            assert time.monotonic() < give_up, "the proxy does not listen"
            time.sleep(0.02)
        yield
    finally:
        process.terminate()
        process.wait(60)


def _is_listening(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False
