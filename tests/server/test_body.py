import asyncio
import zlib
from typing import Any

import pytest

from lanner.engine.common.errors import IllegalArgument
from lanner.server import body
from lanner.server.body import (
    BodyReader,
    BodyTimeoutError,
    BodyTooLargeError,
    ClientGoneError,
    compress,
    decompress,
)


def read(messages: list[dict[str, Any]], limit: int = 100) -> bytes:
    async def main() -> bytes:
        waiting = iter(messages)

        async def receive() -> dict[str, Any]:
            return next(waiting)

        return await BodyReader(limit).read(receive)

    return asyncio.run(main())


def part(data: bytes, more: bool) -> dict[str, Any]:
    return {"type": "http.request", "body": data, "more_body": more}


def test_parts_are_joined() -> None:
    assert read([part(b"ab", True), part(b"", True), part(b"c", False)]) == b"abc"


def test_too_large_is_noticed_while_reading() -> None:
    endless = [part(b"x" * 60, True)] * 2
    with pytest.raises(BodyTooLargeError):
        read(endless)
    with pytest.raises(BodyTooLargeError):
        read([part(b"x" * 101, False)])


def test_a_client_may_leave() -> None:
    with pytest.raises(ClientGoneError):
        read([part(b"a", True), {"type": "http.disconnect"}])


def test_a_stalled_body_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "START_SECONDS", 0.0)

    async def main() -> None:
        async def receive() -> dict[str, Any]:
            await asyncio.Event().wait()
            raise AssertionError

        await BodyReader(100).read(receive)

    with pytest.raises(BodyTimeoutError):
        asyncio.run(main())


def test_gzip_round_trip() -> None:
    data = b"some text " * 1000
    assert decompress(compress(data), "gzip", 1 << 20) == data
    assert decompress(zlib.compress(data), "deflate", 1 << 20) == data


def test_decompression_is_limited() -> None:
    bomb = compress(b"\0" * (4 << 20))
    with pytest.raises(BodyTooLargeError):
        decompress(bomb, "gzip", 100 << 20)  # by the ratio
    with pytest.raises(BodyTooLargeError):
        decompress(compress(b"abc" * 1000), "gzip", 100)  # by the size


@pytest.mark.parametrize("data", [b"plain", compress(b"x" * 1000)[:-3]])
def test_broken_streams(data: bytes) -> None:
    with pytest.raises(IllegalArgument):
        decompress(data, "gzip", 1000)
