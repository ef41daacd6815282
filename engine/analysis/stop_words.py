"""Named lists of stop words."""

# fmt: off
# the list of Lucene's EnglishAnalyzer
ENGLISH = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no",
    "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this",
    "to", "was", "will", "with",
]

# languages whose lists OpenSearch has and this release has not
MISSING = frozenset([
    "_arabic_", "_armenian_", "_basque_", "_bengali_", "_brazilian_", "_bulgarian_", "_catalan_",
    "_czech_", "_danish_", "_dutch_", "_estonian_", "_finnish_", "_french_", "_galician_", "_german_",
    "_greek_", "_hindi_", "_hungarian_", "_indonesian_", "_irish_", "_italian_", "_latvian_",
    "_lithuanian_", "_norwegian_", "_persian_", "_portuguese_", "_romanian_", "_russian_", "_sorani_",
    "_spanish_", "_swedish_", "_thai_", "_turkish_",
])
# fmt: on

NAMED: dict[str, list[str]] = {"_none_": [], "_english_": ENGLISH}
