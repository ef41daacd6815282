"""The char filters, by the names that settings and requests use."""

from lanner.engine.analysis.analyzer import PartType
from lanner.ext.analysis.chain import CharFilter

CHAR_FILTERS: dict[str, PartType[CharFilter]] = {}
