"""An S3 server, for tests of code that stores files in an object store."""

from collections.abc import Iterator
from contextlib import contextmanager

import boto3
from moto.server import ThreadedMotoServer

ACCESS_VARIABLES = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_REGION": "us-east-1"}
"""Environment variables for its access, apart from its URL."""


@contextmanager
def running_s3() -> Iterator[str]:
    """Run the server with the bucket `dictionary`, and yield its URL."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b"}
    client = boto3.client("s3", endpoint_url=address, region_name="us-east-1", **keys)
    client.create_bucket(Bucket="dictionary")
    try:
        yield address
    finally:
        server.stop()
