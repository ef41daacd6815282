"""Exchanges that the reference and ours answered alike must stay alike."""

from pathlib import Path

import pytest

from tests.rest.recorded import AREAS, available, passing, replay

pytestmark = pytest.mark.skipif(not available(), reason="the recordings are not there")


@pytest.mark.parametrize("area", AREAS)
def test_recorded(area: str, tmp_path: Path) -> None:
    wanted = {name for name in passing() if name.rpartition("-")[0] == area}
    broken = [
        (name, wrong[:2])
        for name, wrong in replay(area, str(tmp_path), patient=wanted)
        if wrong and name in wanted
    ]
    assert broken == []
