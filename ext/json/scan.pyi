from typing import Any

from lanner.ext.json.faults import JsonFault as JsonFault
from lanner.ext.json.faults import line_and_column as line_and_column
from lanner.ext.json.faults import render as render

def check_json(data: Any, *, max_depth: int = 1000) -> None: ...
