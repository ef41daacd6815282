"""The stemmer of Brazilian Portuguese, as Lucene 9.12 has it.

Source: the description of the Snowball stemmer for Portuguese, in an early form; regions as it defines them.
"""

from lanner.engine.analysis.language.endings import endings

_PLAIN = str.maketrans("áâãéêíóôõúüçñ", "aaaeeiooouucn")
_MARKS = "\"'-,;.?!"

# ending of the second region, what stands in its place; RV: of the region of verbs, after an e
_STEP_1 = (
    ("uciones", "u"), ("imentos", ""), ("amentos", ""), ("adores", ""), ("adoras", ""), ("logias", "logias"),
    ("encias", "ente"), ("amente", ""), ("idades", ""), ("acoes", ""), ("imento", ""), ("amento", ""),
    ("adora", ""), ("ismos", ""), ("istas", ""), ("logia", "log"), ("ucion", "u"), ("encia", "ente"),
    ("mente", ""), ("idade", ""), ("acao", ""), ("ezas", ""), ("icos", ""), ("icas", ""), ("ismo", ""),
    ("avel", ""), ("ivel", ""), ("ista", ""), ("osos", ""), ("osas", ""), ("ador", ""), ("ivas", ""),
    ("ivos", ""), ("iras", "ir"), ("eza", ""), ("ico", ""), ("ica", ""), ("oso", ""), ("osa", ""),
    ("iva", ""), ("ivo", ""), ("ira", "ir"),
)  # fmt: skip
_STEP_2 = endings(
    "issemos essemos assemos ariamos eriamos iriamos iremos eremos aremos avamos iramos eramos aramos "
    "asseis esseis isseis arieis erieis irieis irmos iamos armos ermos areis ereis ireis asses esses isses "
    "astes assem essem issem ardes erdes irdes ariam eriam iriam arias erias irias estes istes aveis aria "
    "eria iria asse esse isse aste este iste arei erei irei aram eram iram avam arem erem irem ando endo "
    "indo arao erao irao adas idas aras eras iras avas ares eres ires ados idos amos emos imos ieis ada "
    "ida ara era ira iam ado ido ias ais eis ear ia ei am em ar er ir as es is eu iu ou"
)


def _vowel(char: str) -> bool:
    return char in "aeiou"


def _region_1(word: str | None) -> str | None:
    """Return what follows the first consonant after a vowel; the last character begins no region."""
    if word is None:
        return None
    last = len(word) - 1
    at = 0
    while at < last and not _vowel(word[at]):
        at += 1
    while at < last and _vowel(word[at]):
        at += 1
    return word[at + 1 :] if at < last else None


def _region_verbs(word: str) -> str | None:
    last = len(word) - 1
    if last > 0 and not _vowel(word[1]):
        at = 2
        while at < last and not _vowel(word[at]):
            at += 1
        if at < last:
            return word[at + 1 :]
    if last > 1 and _vowel(word[0]) and _vowel(word[1]):
        at = 2
        while at < last and _vowel(word[at]):
            at += 1
        if at < last:
            return word[at + 1 :]
    return word[3:] if last > 2 else None


def _step_1(word: str, region_1: str, region_2: str, verbs: str) -> str | None:
    for suffix, instead in _STEP_1:
        if not word.endswith(suffix):
            continue
        if suffix in ("iras", "ira"):
            fits = verbs.endswith(suffix) and word.endswith("e" + suffix)
        else:
            fits = (region_1 if suffix == "amente" else region_2).endswith(suffix)
        if fits:
            return word[: -len(suffix)] + instead
    return None


def brazilian(word: str) -> str:
    """Return the stem."""
    stem = word.lower().translate(_PLAIN)
    if len(stem) >= 2 and stem[0] in _MARKS:
        stem = stem[1:]
    if len(stem) >= 2 and stem[-1] in _MARKS:
        stem = stem[:-1]
    if not 2 < len(stem) < 30:
        return word
    if not stem.isalpha():
        return stem
    region_1, found_verbs = _region_1(stem), _region_verbs(stem)
    region_2, verbs = _region_1(region_1) or "", found_verbs or ""
    altered = _step_1(stem, region_1 or "", region_2, verbs)
    if altered is None:
        for suffix in _STEP_2:
            if verbs.endswith(suffix):
                # a slip of the original that has become the rule: -ira stays unless the word ends with -ava
                altered = stem if suffix == "ira" else stem[: -len(suffix)]
                break
    if altered is not None:
        stem = altered
        if verbs.endswith("ci"):
            stem = stem.removesuffix("i")
    else:
        for suffix in ("os", "a", "i", "o"):
            if verbs.endswith(suffix):
                stem = stem.removesuffix(suffix)
                break
    if verbs.endswith("e"):
        stem = stem.removesuffix("e")
        if verbs.endswith("gue"):
            stem = stem.removesuffix("u")
        elif verbs.endswith("cie"):
            stem = stem.removesuffix("i")
    return stem
