"""Stemmers against the vocabularies of the Snowball project."""

import pytest

from lanner.engine.analysis.filters.stemming import snowball_stemmer
from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.chain import Chain
from lanner.ext.analysis.char_tokenizers import KeywordTokenizer
from tests.ext.analysis.shared_data import lines

SNOWBALL = (
    "armenian basque catalan danish dutch english finnish french german german2 greek hindi hungarian "
    "indonesian irish italian lithuanian nepali norwegian porter portuguese "
    "romanian russian serbian spanish swedish turkish"
)
# the release that PyStemmer holds has no such stemmer, or one with other stems
NOT_BUILT = {"estonian": "Estonian", "kraaij_pohlmann": "Kp", "lovins": "Lovins", "yiddish": "Yiddish"}


def stems(name: str, vocabulary: str) -> list[tuple[str, str, str]]:
    """Words, their stems in the vocabulary and ours, where those differ."""
    chain = Chain([], KeywordTokenizer(), [snowball_stemmer(name)()])
    differ = []
    for line in lines("snowball", f"{vocabulary}.tsv.gz"):
        word, expected = line.rstrip("\n").split("\t")
        found = chain.tokens(word)[0][0].decode()
        if found != expected:
            differ.append((word, expected, found))
    return differ


@pytest.mark.parametrize("language", SNOWBALL.split())
def test_vocabulary(language: str) -> None:
    assert stems(language.capitalize(), language) == []


@pytest.mark.parametrize("language", NOT_BUILT)
def test_not_built(language: str) -> None:
    with pytest.raises(IllegalArgument, match="Invalid stemmer class specified"):
        snowball_stemmer(NOT_BUILT[language])
