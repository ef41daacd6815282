"""Suggestions: words, phrases and completions that a search proposes beside its hits.

This table reads as the list of suggesters: by name, the module here and the function that reads its object.
A module is imported when the first suggestion of its name comes.
"""

SUGGESTERS: dict[str, str] = {
    "term": "term.parse_term",
    "phrase": "phrase.parse_phrase",
    "completion": "completion.parse_completion",
}
