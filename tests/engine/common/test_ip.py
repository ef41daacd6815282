import pytest

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.ip import (
    MAX_ADDRESS,
    MIN_ADDRESS,
    next_address,
    parse_ip,
    parse_network,
    previous_address,
    render_ip,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("1.2.3.4", "1.2.3.4"), ("::FFFF:1.2.3.4", "1.2.3.4"), ("2001:0db8::1", "2001:db8::1")],
)
def test_round_trip(text: str, shown: str) -> None:
    assert render_ip(parse_ip(text)) == shown


@pytest.mark.parametrize("text", ["", "1.2.3", "01.2.3.4", "x", "1.2.3.4/24"])
def test_no_address(text: str) -> None:
    with pytest.raises(IllegalArgument, match="is not an IP string literal"):
        parse_ip(text)


def test_networks() -> None:
    low, high = parse_network("10.1.2.3/24")
    assert (render_ip(low), render_ip(high)) == ("10.1.2.0", "10.1.2.255")
    with pytest.raises(IllegalArgument):
        parse_network("10.0.0.0/33")


def test_neighbours() -> None:
    assert next_address(parse_ip("1.2.3.255")) == parse_ip("1.2.4.0")
    assert previous_address(parse_ip("1.2.4.0")) == parse_ip("1.2.3.255")
    assert next_address(MAX_ADDRESS) is None
    assert previous_address(MIN_ADDRESS) is None
