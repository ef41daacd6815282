"""What is not built says so."""

import pytest

from tests.conftest import Client


@pytest.mark.parametrize(
    ("path", "what"),
    [("/_snapshot", "snapshots"), ("/_script_context", "scripts"), ("/_script_language", "scripts")],
)
def test_endpoints_are_refused_by_name(client: Client, path: str, what: str) -> None:
    answer = client.get(path)
    assert answer.status == 400
    assert answer.error()["reason"] == f"{what} are not supported by this version"
