"""The command `abhidhan-mcp`: serves the tools over standard input and output, or over HTTP."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Final

from mcp.server.transport_security import TransportSecuritySettings

from abhidhan_mcp.server import create_server

DEFAULT_URL: Final = "http://127.0.0.1:8080"
MAX_BODY_BYTES: Final = 64 * 1024
LOCAL_HOSTS: Final = ("127.0.0.1", "localhost", "[::1]")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command until the client closes the connection, or until it is interrupted."""
    options = _parse_arguments(arguments)
    server = create_server(options.url)
    if not options.http:
        server.run("stdio")
        return
    sys.stderr.write(f"The tools are at http://{options.host}:{options.port}/mcp\n")
    server.run(
        "streamable-http",
        host=options.host,
        port=options.port,
        json_response=True,
        stateless_http=True,
        max_request_body_size=MAX_BODY_BYTES,
        transport_security=_build_transport_security(options.allowed_host),
    )


def _parse_arguments(arguments: Sequence[str] | None) -> Namespace:
    parser = ArgumentParser(prog="abhidhan-mcp", description="The Abhidhan dictionary for AI assistants (MCP).")
    parser.add_argument(
        "--url",
        default=os.environ.get("ABHIDHAN_URL") or DEFAULT_URL,
        help=f"the address of the dictionary; default: ABHIDHAN_URL, or {DEFAULT_URL}",
    )
    parser.add_argument("--http", action="store_true", help="serve over HTTP, at /mcp, not standard input and output")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8765, help="the port to listen on (default: %(default)s)")
    parser.add_argument(
        "--allowed-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name by which clients reach this server, such as mcp.example.org; may be given several times",
    )
    options = parser.parse_args(arguments)
    if not options.url.startswith(("http://", "https://")):
        parser.error(f"the address of the dictionary must begin with http:// or https://, not {options.url!r}")
    return options


def _build_transport_security(names: Sequence[str]) -> TransportSecuritySettings:
    """Allow only the host names of this machine and `names`, as protection against DNS rebinding."""
    hosts = [host + port for host in (*LOCAL_HOSTS, *names) for port in ("", ":*")]
    origins = [scheme + host for scheme in ("http://", "https://") for host in hosts]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)


if __name__ == "__main__":
    main()
