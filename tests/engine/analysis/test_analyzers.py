"""The ready-made analyzers against the recorded tokens of Lucene, and what queries ask of an analyzer."""

import json

import pytest

from lanner.engine.analysis.analyzer import QueryToken
from lanner.engine.analysis.registry import AnalysisRegistry, ready_made
from tests.ext.analysis.shared_data import lines

# without thai, which needs a dictionary, and kuromoji, which is an add-on
N_TEXTS = {
    "standard": 3264, "cjk": 614, "simple": 539, "english": 539, "whitespace": 515, "stop": 24, "arabic": 24,
    "german": 24, "greek": 24, "spanish": 24, "hindi": 24, "romanian": 24, "russian": 24, "turkish": 24,
}  # fmt: skip


def test_the_recorded_tokens_of_lucene() -> None:
    registry = AnalysisRegistry()
    found = dict.fromkeys(N_TEXTS, 0)
    for line in lines("lucene991_tokens.jsonl.gz"):
        record = json.loads(line)
        name = record["analyzer"]
        if name in found:
            tokens = registry.analyzer(name).chain.tokens(record["text"])
            assert [[token[0].decode(), *token[1:5]] for token in tokens] == record["tokens"], record["id"]
            assert all(token[5] == 1 for token in tokens)
            found[name] += 1
    assert found == N_TEXTS


CASES = [
    ("standard", "The Foxes' 2 dens", ["the", "foxes", "2", "dens"]),
    ("simple", "The Foxes' 2 dens", ["the", "foxes", "dens"]),
    ("whitespace", "The Foxes' 2 dens", ["The", "Foxes'", "2", "dens"]),
    ("keyword", "The Foxes' 2 dens", ["The Foxes' 2 dens"]),
    ("keyword", "", [""]),
    ("stop", "The Foxes' 2 dens", ["foxes", "dens"]),
    ("english", "The fox's running dens", ["fox", "run", "den"]),
    ("default", "The Fox", ["the", "fox"]),
]


@pytest.mark.parametrize(("name", "text", "expected"), CASES)
def test_ready_made(name: str, text: str, expected: list[str]) -> None:
    analyzer = AnalysisRegistry().analyzer(name)
    assert [token.term.decode() for token in analyzer.query_tokens(text)] == expected


def test_ready_made_analyzers_are_shared() -> None:
    assert AnalysisRegistry().analyzer("standard") is AnalysisRegistry().analyzer("standard")
    assert ready_made("nosuch") is None


def test_terms_by_position() -> None:
    registry = AnalysisRegistry(
        {
            "filter": {"fold": {"type": "asciifolding", "preserve_original": True}},
            "analyzer": {"a": {"tokenizer": "standard", "filter": ["lowercase", "stop", "fold"]}},
        }
    )
    analyzer = registry.analyzer("a")
    text = "Été of The Été x"
    assert analyzer.query_tokens(text)[:2] == [
        QueryToken(b"ete", 0, 0, 3),
        QueryToken("été".encode(), 0, 0, 3),
    ]
    assert analyzer.terms(text) == [[b"ete", "été".encode()], [b"ete", "été".encode()], [b"x"]]
    assert analyzer.positions(text) == [0, 3, 4]
    assert analyzer.normalize("Été of") == "ete of"
