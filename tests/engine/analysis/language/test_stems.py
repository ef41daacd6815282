"""Stemmers without a public vocabulary, held against what OpenSearch 2.19.1 answered."""

import json
from pathlib import Path

import pytest

from lanner.engine.analysis.analyze import analyze, parse_analyze_request

RECORDED = json.loads(Path(__file__).with_name("recorded_stems.json").read_text("utf-8"))


@pytest.mark.parametrize("language", RECORDED)
def test_stems(language: str) -> None:
    words = RECORDED[language]
    body = {
        "tokenizer": "whitespace",
        "filter": [{"type": "stemmer", "language": language}],
        "text": " ".join(words),
    }
    found = [token["token"] for token in analyze(parse_analyze_request(body))["tokens"]]
    assert dict(zip(words, found, strict=True)) == words
