"""Lists of words among the parameters of a component: given in place, by the name of a list, or in a file."""

from lanner.engine.analysis.parameters import Parameters
from lanner.engine.analysis.stop_words import named_list
from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.word_set import WordSet


def refuse_path(parameters: Parameters, key: str) -> None:
    """Raise IllegalArgument if words are to come from a file: there is no folder that they may come from."""
    if parameters.string(f"{key}_path") is not None:
        raise IllegalArgument(f"IOException while reading {key}_path: file not readable")


def word_list(parameters: Parameters, key: str) -> list[str] | None:
    """Return plain words."""
    refuse_path(parameters, key)
    return parameters.strings(key)


def word_set(parameters: Parameters, key: str, *, ignore_case_key: str) -> WordSet | None:
    """Return plain words, None if there are none."""
    words = word_list(parameters, key)
    if not words:
        return None
    return WordSet(words, ignore_case=parameters.boolean(ignore_case_key, False))


def stop_words(parameters: Parameters, default: list[str], key: str = "stopwords") -> list[str]:
    """Return words, names of lists replaced by the lists; a name that nobody knows is a word."""
    if parameters.string(key) == "_none_":
        return []
    words = word_list(parameters, key)
    if words is None:
        return default
    return [found for word in words for found in named_list(word) or [word]]
