"""One form for the letters of Indian scripts that can be written in several ways.

Source: The Unicode Standard 5.2, chapter 9; http://ldc.upenn.edu/myl/IndianScriptsUnicode.html; the list of
Lucene 9.12.
"""

_BASES = {
    "d": 0x0900, "b": 0x0980, "p": 0x0A00, "g": 0x0A80, "o": 0x0B00, "t": 0x0B80, "e": 0x0C00, "k": 0x0C80,
    "m": 0x0D00,
}  # fmt: skip
# Scripts: d Devanagari, b Bengali, p Gurmukhi, g Gujarati, o Oriya, t Tamil, e Telugu, k Kannada, m
# Malayalam. Of each line: two or three characters as places in the block of the script (Z: the joiner), the
# character they make, scripts.
_COMPOSED = """
05 3e 45 11 dg | 05 3e 46 12 d | 05 3e 47 13 dg | 05 3e 48 14 dg | 05 3e 06 dbpgo | 05 45 72 d |
05 45 0d g | 05 46 04 d | 05 47 0f g | 05 48 10 pg | 05 49 11 dg | 05 4a 12 d | 05 4b 13 dg |
05 4c 14 dpg | 06 45 11 dg | 06 46 12 d | 06 47 13 dg | 06 48 14 dg | 07 57 08 m | 09 41 0a d |
09 57 0a tm | 0e 46 10 m | 0f 45 0d d | 0f 46 0e d | 0f 47 10 d | 0f 57 10 o | 12 3e 13 m |
12 4c 14 ek | 12 55 13 e | 12 57 14 tm | 13 57 14 o | 15 3c 58 d | 16 3c 59 dp | 17 3c 5a dp |
1c 3c 5b dp | 21 3c 5c dbo | 22 3c 5d dbo | 23 4d Z 7a m | 24 4d Z 4e b | 28 3c 29 d | 28 4d Z 7b m |
2b 3c 5e dp | 2f 3c 5f db | 2c 41 41 0b e | 30 3c 31 d | 30 4d Z 7c m | 32 4d Z 7d m | 33 3c 34 d |
33 4d Z 7e m | 35 41 2e e | 3e 45 49 dg | 3e 46 4a d | 3e 47 4b dg | 3e 48 4c dg | 3f 55 40 k |
41 41 42 p | 46 3e 4a tm | 46 42 55 4b k | 46 42 4a k | 46 46 48 m | 46 55 47 ek | 46 56 48 ek |
46 57 4c tm | 47 3e 4b botm | 47 57 4c bo | 4a 55 4b k | 72 3f 07 p | 72 40 08 p | 72 47 0f p |
73 41 09 p | 73 42 0a p | 73 4b 13 p
"""


def _read() -> dict[str, list[tuple[str, str]]]:
    """Return by first character: the characters, in the order in which they are tried, and what they make."""
    table: dict[str, list[tuple[str, str]]] = {}
    for entry in _COMPOSED.split("|"):
        *parts, made, scripts = entry.split()
        for script in scripts:
            base = _BASES[script]
            source = "".join("\u200d" if part == "Z" else chr(base + int(part, 16)) for part in parts)
            table.setdefault(source[0], []).append((source, chr(base + int(made, 16))))
    return table


_TABLE = _read()


def indic(term: str) -> str:
    """Return the term with each letter in its composed form."""
    kept: list[str] = []
    at = 0
    while at < len(term):
        for source, made in _TABLE.get(term[at], ()):
            if term.startswith(source, at):
                kept.append(made)
                at += len(source)
                break
        else:
            kept.append(term[at])
            at += 1
    return "".join(kept)
