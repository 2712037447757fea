"""An object store that may be away for a while: what it holds stays."""

import logging

import boto3
from moto.server import ThreadedMotoServer

from tests.support.object_store import KEYS
from tests.support.ports import free_port


class Store:
    """A server that speaks S3, with the bucket `dictionary`."""

    def __init__(self) -> None:
        """Choose a port."""
        self._port = free_port()
        self._server: ThreadedMotoServer | None = None
        # It tells of every request, of which there are very many.
        logging.getLogger("werkzeug").setLevel(logging.ERROR)

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Answer."""
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=self._port, verbose=False)
        self._server.start()

    def stop(self) -> None:
        """Answer no more."""
        if self._server is not None:
            self._server.stop()
            self._server = None

    def make_bucket(self) -> None:
        """Make the bucket of the tests."""
        keys = {"aws_access_key_id": KEYS["AWS_ACCESS_KEY_ID"], "aws_secret_access_key": KEYS["AWS_SECRET_ACCESS_KEY"]}
        client = boto3.client("s3", endpoint_url=self.address, region_name=KEYS["AWS_REGION"], **keys)
        client.create_bucket(Bucket="dictionary")
