"""Every class of error has a type and a status, and every status a class."""

import inspect

from lanner.engine.common import errors
from lanner.engine.common.errors import LannerError
from lanner.server import errors as server_errors
from lanner.server.errors import STATUS, status_of

CLASSES = {
    name: kind
    for module in (errors, server_errors)
    for name, kind in inspect.getmembers(module, inspect.isclass)
    if issubclass(kind, LannerError)
}


def test_every_status_belongs_to_a_class() -> None:
    assert STATUS.keys() - CLASSES.keys() == set()


def test_every_class_has_a_type_of_its_own_or_of_its_base() -> None:
    assert [name for name, kind in CLASSES.items() if not kind.type] == []


def test_every_class_has_a_status() -> None:
    for kind in CLASSES.values():
        error = kind.__new__(kind)
        assert 400 <= status_of(error) < 600


def test_request_faults_are_no_server_faults() -> None:
    for name in (
        "IllegalArgument",
        "ParsingError",
        "MapperParsingError",
        "XContentParseError",
        "QueryShardError",
    ):
        assert status_of(CLASSES[name]("x")) == 400
