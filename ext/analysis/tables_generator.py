"""Writes unicode_data.py: the word-break automaton and the character tables of the compiled analysis code.

    python ext/analysis/tables_generator.py FOLDER_WITH_UNICODE_FILES

The folder holds WordBreakProperty.txt.gz and emoji-data.txt.gz of the Unicode character database, version
15.0. Run it with a Python whose unicodedata is of version 14 or 15 (no case pair came between them).
The result is committed: nothing of this runs when the package is built or used.

The rules of UAX #29 are written as regular expressions over classes of code points and turned into one
deterministic automaton, as Lucene's StandardTokenizer does: the longest match wins, then the earlier rule.
"""

import base64
import gzip
import sys
import textwrap
import unicodedata
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

N_CODE_POINTS = 0x110000
BLOCK = 128  # code points to a block of the two-stage tables
NO_RULE = 255

# Sets that Word_Break does not name: script Han, Hiragana, Hangul; line break class Complex_Context ("SA").
HAN = (
    "2E80-2E99 2E9B-2EF3 2F00-2FD5 3005 3007 3021-3029 3038-303B 3400-4DBF 4E00-9FFF F900-FA6D FA70-FAD9 "
    "16FE3 16FF0-16FF1 20000-2A6DF 2A700-2B739 2B740-2B81D 2B820-2CEA1 2CEB0-2EBE0 2F800-2FA1D "
    "30000-3134A 31350-323AF"
)
HIRAGANA = "3041-3096 309D-309F 1B001-1B11F 1B132 1B150-1B152 1F200"
HANGUL = (
    "1100-11FF 302E-302F 3131-318E 3200-321E 3260-327E A960-A97C AC00-D7A3 D7B0-D7C6 D7CB-D7FB FFA0-FFBE "
    "FFC2-FFC7 FFCA-FFCF FFD2-FFD7 FFDA-FFDC"
)
COMPLEX_CONTEXT = (
    "E01-E3A E40-E4E E81-E82 E84 E86-E8A E8C-EA3 EA5 EA7-EBD EC0-EC4 EC6 EC8-ECE EDC-EDF 1000-103F 1050-108F "
    "109A-109F 1780-17D3 17D7 17DC-17DD 1950-196D 1970-1974 1980-19AB 19B0-19C9 19DA 19DE-19DF 1A20-1A5E "
    "1A60-1A7C 1AA0-1AAD A9E0-A9EF A9FA-A9FE AA60-AAC2 AADB-AADF 11700-1171A 1171D-1172B 1173A-1173B "
    "1173F-11746"
)
# What Lucene 9 (Unicode 12.1) still reads differently although the characters are older than that version:
# modifier tone letters and Armenian punctuation are no letters, the Armenian question mark joins nothing.
NOT_YET = "2E5-2EB 55A 55F 58A A708-A716"

SPACES = {*range(0x09, 0x0E), *range(0x1C, 0x20)}  # beside the separators; as Java's isWhitespace
NO_BREAK_SPACES = {0xA0, 0x2007, 0x202F}


def code_points(ranges: str) -> set[int]:
    """Code points of "41-5A 61"."""
    found: set[int] = set()
    for piece in ranges.split():
        first, _, last = piece.partition("-")
        found.update(range(int(first, 16), int(last or first, 16) + 1))
    return found


def read_properties(path: Path) -> dict[str, set[int]]:
    """Code points by property value, from a file of the Unicode character database."""
    properties: dict[str, set[int]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            content = line.partition("#")[0].strip()
            if content:
                ranges, _, value = (part.strip() for part in content.partition(";"))
                properties.setdefault(value, set()).update(code_points(ranges.replace("..", "-")))
    return properties


def named_sets(word_break: dict[str, set[int]], emoji: dict[str, set[int]]) -> dict[str, set[int]]:
    """The sets of code points that the rules speak of."""
    not_yet = code_points(NOT_YET)
    letters = word_break["ALetter"] - not_yet
    key_cap_base = code_points("23 2A 30-39")
    modifiers = emoji["Emoji_Modifier"]
    quote = word_break["Single_Quote"]
    return {
        "extend": word_break["Extend"] | word_break["Format"] | word_break["ZWJ"],
        "selectors": {0xFE0E, 0xFE0F},
        "emoji_selector": {0xFE0F},
        "zwj": word_break["ZWJ"],
        "key_cap_base": key_cap_base,
        "key_cap": {0x20E3},
        "regional": word_break["Regional_Indicator"],
        "emoji": emoji["Extended_Pictographic"]
        | (emoji["Emoji"] - word_break["Regional_Indicator"] - key_cap_base - modifiers),
        "modifier": modifiers,
        "modifier_base": emoji["Emoji_Modifier_Base"],
        "tag": set(range(0xE0020, 0xE007F)),
        "tag_end": {0xE007F},
        "letter": letters | word_break["Hebrew_Letter"],
        "hebrew": word_break["Hebrew_Letter"],
        "hangul": code_points(HANGUL) & letters,
        "number": word_break["Numeric"],
        "katakana": word_break["Katakana"],
        "mid_letter": (word_break["MidLetter"] | word_break["MidNumLet"] | quote) - not_yet,
        "mid_number": word_break["MidNum"] | word_break["MidNumLet"] | quote,
        "extend_num_let": word_break["ExtendNumLet"],
        "single_quote": quote,
        "double_quote": word_break["Double_Quote"],
        "han": code_points(HAN),
        "hiragana": code_points(HIRAGANA),
        "complex": code_points(COMPLEX_CONTEXT),
    }


class Grammar:
    """Regular expressions over classes; each is a function from the state after it to the state before it."""

    def __init__(self, sets: dict[str, set[int]]) -> None:
        members: dict[int, list[str]] = {}
        for name in sets:
            for point in sets[name]:
                members.setdefault(point, []).append(name)
        signatures: dict[tuple[str, ...], int] = {(): 0}
        self.class_of = bytearray(N_CODE_POINTS)
        for point in sorted(members):
            self.class_of[point] = signatures.setdefault(tuple(members[point]), len(signatures))
        self.n_classes = len(signatures)
        self.symbols = {name: {number for key, number in signatures.items() if name in key} for name in sets}
        # classes to read, next states; no classes: empty steps
        self.steps: list[tuple[frozenset[int], list[int]]] = []

    def state(self, symbols: Iterable[int], targets: list[int]) -> int:
        """Add a state; return its number."""
        self.steps.append((frozenset(symbols), targets))
        return len(self.steps) - 1

    def one(self, name: str, *, without: str = "") -> "Expression":
        """One code point of a set."""
        symbols = self.symbols[name] - (self.symbols[without] if without else set())
        return lambda after: self.state(symbols, [after])

    def sequence(self, *parts: "Expression") -> "Expression":
        """One after the other."""

        def build(after: int) -> int:
            for part in reversed(parts):
                after = part(after)
            return after

        return build

    def choice(self, *parts: "Expression") -> "Expression":
        """Any of them."""
        return lambda after: self.state((), [part(after) for part in parts])

    def optional(self, part: "Expression") -> "Expression":
        """Once or not at all."""
        return lambda after: self.state((), [part(after), after])

    def any_number(self, part: "Expression") -> "Expression":
        """Any number of times."""

        def build(after: int) -> int:
            loop = self.state((), [after])
            self.steps[loop][1].append(part(loop))
            return loop

        return build

    def at_least_one(self, part: "Expression") -> "Expression":
        """Once or more."""
        return self.sequence(part, self.any_number(part))


Expression = Callable[[int], int]


def rules(grammar: Grammar) -> list[Expression]:
    """The rules in order of precedence; their numbers are token types (see token_stream.pxd)."""
    one, seq, either = grammar.one, grammar.sequence, grammar.choice
    maybe, some, many = grammar.optional, grammar.any_number, grammar.at_least_one
    extend = some(one("extend"))

    def extended(name: str) -> Expression:  # WB4: X (Extend | Format | ZWJ)* -> X
        return seq(one(name), extend)

    def plain(name: str) -> Expression:  # the same, but presentation selectors are seen
        return seq(one(name), some(one("extend", without="selectors")))

    selector = one("emoji_selector")
    element = either(
        seq(some(one("zwj")), plain("emoji"), maybe(selector)),
        seq(maybe(seq(some(one("zwj")), plain("modifier_base"))), plain("modifier")),
    )
    emoji = either(
        seq(element, either(some(seq(one("zwj"), element)), seq(many(one("tag")), one("tag_end")))),
        seq(plain("key_cap_base"), maybe(selector), plain("key_cap")),
        seq(extended("regional"), extended("regional")),
    )
    joiners = some(extended("extend_num_let"))
    numbers = seq(extended("number"), some(seq(either(joiners, extended("mid_number")), extended("number"))))
    part = either(
        seq(extended("katakana"), some(seq(joiners, extended("katakana")))),
        many(
            either(
                seq(
                    extended("hebrew"),
                    either(extended("single_quote"), seq(extended("double_quote"), extended("hebrew"))),
                ),
                numbers,
                seq(
                    extended("letter"), some(seq(either(joiners, extended("mid_letter")), extended("letter")))
                ),
            )
        ),
    )
    word = seq(joiners, part, some(seq(many(extended("extend_num_let")), part)), joiners)
    return [
        emoji,
        seq(joiners, numbers, joiners),
        many(extended("hangul")),
        many(extended("katakana")),
        word,
        many(extended("complex")),
        extended("han"),
        extended("hiragana"),
    ]


def deterministic(grammar: Grammar, expressions: list[Expression]) -> tuple[list[list[int]], list[int]]:
    """Transitions by state and class, and the rule that each state accepts. State 0 is dead, 1 the start."""
    finals = [grammar.state((), []) for _ in expressions]
    start = grammar.state((), [build(final) for build, final in zip(expressions, finals, strict=True)])

    def closure(states: Iterable[int]) -> frozenset[int]:
        seen, pending = set(states), list(states)
        while pending:
            symbols, targets = grammar.steps[pending.pop()]
            if not symbols:
                pending.extend(target for target in targets if target not in seen)
                seen.update(targets)
        return frozenset(seen)

    numbers = {frozenset[int](): 0, closure([start]): 1}
    transitions: list[list[int]] = []
    accepts: list[int] = []
    for states in (pending := list(numbers)):
        row = []
        for symbol in range(grammar.n_classes):
            reached = closure(
                {t for s in states if symbol in grammar.steps[s][0] for t in grammar.steps[s][1]}
            )
            if reached not in numbers:
                numbers[reached] = len(numbers)
                pending.append(reached)
            row.append(numbers[reached])
        transitions.append(row)
        accepts.append(min((finals.index(s) for s in states if s in finals), default=NO_RULE))
    return transitions, accepts


def minimal(transitions: list[list[int]], accepts: list[int]) -> tuple[list[list[int]], list[int]]:
    """The smallest automaton that accepts the same; states 0 and 1 keep their meaning."""
    group = list(accepts)
    while True:
        keys: dict[tuple[int, ...], int] = {}
        refined = [
            keys.setdefault((group[s], *(group[t] for t in row)), len(keys))
            for s, row in enumerate(transitions)
        ]
        if len(keys) == len(set(group)):
            break
        group = refined
    order = {refined[0]: 0, refined[1]: 1}
    for number in refined:
        order.setdefault(number, len(order))
    first = {order[number]: state for state, number in reversed(list(enumerate(refined)))}
    rows = [[order[refined[t]] for t in transitions[first[s]]] for s in range(len(order))]
    return rows, [accepts[first[s]] for s in range(len(order))]


def merge_classes(class_of: bytearray, rows: list[list[int]]) -> tuple[bytes, list[list[int]]]:
    """Make one class of those that no state tells apart."""
    keys: dict[tuple[int, ...], int] = {}
    number = [keys.setdefault(column, len(keys)) for column in zip(*rows, strict=True)]
    return bytes(class_of).translate(bytes(number) + bytes(256 - len(number))), [
        list(row) for row in zip(*keys, strict=True)
    ]


def two_stages(values: bytes | bytearray) -> tuple[bytes, bytes]:
    """Blocks of equal content stored once: value = blocks[index[c >> 7] * 128 + (c & 127)]."""
    blocks: dict[bytes, int] = {}
    index = bytes(
        blocks.setdefault(bytes(values[at : at + BLOCK]), len(blocks))
        for at in range(0, N_CODE_POINTS, BLOCK)
    )
    return index, b"".join(blocks)


def case_deltas(convert: Callable[[str], int]) -> tuple[bytes, list[int]]:
    """For each code point the number of what to add to change its case, and what these numbers mean."""
    deltas: dict[int, int] = {0: 0}
    values = bytearray(N_CODE_POINTS)
    for point in range(N_CODE_POINTS):
        delta = convert(chr(point)) - point
        if delta:
            values[point] = deltas.setdefault(delta, len(deltas))
    return bytes(values), list(deltas)


def lower(char: str) -> int:
    """The simple mapping: one code point to one."""
    return ord("i") if char == "\u0130" else ord(char.lower()) if len(char.lower()) == 1 else ord(char)


def upper(char: str) -> int:
    """The simple mapping, which for some Greek letters is found among the title forms only."""
    return next((ord(form) for form in (char.upper(), char.title()) if len(form) == 1), ord(char))


def kinds() -> bytes:
    """Bits: 1 for letters, 2 for white space, 4 for decimal digits, 8 for punctuation, 16 for symbols."""
    values = bytearray(N_CODE_POINTS)
    for point in range(N_CODE_POINTS):
        category = unicodedata.category(chr(point))
        space = point in SPACES or (category[0] == "Z" and point not in NO_BREAK_SPACES)
        values[point] = (category[0] == "L") | space << 1 | (category == "Nd") << 2
        values[point] |= (category[0] == "P") << 3 | (category[0] == "S") << 4
    return bytes(values)


def literal(name: str, meaning: str, content: bytes) -> str:
    """An assignment of packed bytes."""
    packed = base64.b64encode(zlib.compress(content, 9)).decode()
    lines = textwrap.wrap(packed, 100, break_on_hyphens=False)
    return f"# {meaning}\n{name} = unpack(\n" + "".join(f'    "{line}"\n' for line in lines) + ")\n"


def numbers(name: str, meaning: str, values: list[int]) -> str:
    """An assignment of a tuple of integers."""
    lines = textwrap.wrap(", ".join(map(str, values)) + ",", 100, break_on_hyphens=False)
    body = "".join(f"    {line}\n" for line in lines)
    return f"# {meaning}\n# fmt: off\n{name} = (\n{body})\n# fmt: on\n"


def main(folder: Path) -> None:
    """Write the module."""
    sets = named_sets(
        read_properties(folder / "WordBreakProperty.txt.gz"), read_properties(folder / "emoji-data.txt.gz")
    )
    grammar = Grammar(sets)
    rows, accepts = minimal(*deterministic(grammar, rules(grammar)))
    class_of, rows = merge_classes(grammar.class_of, rows)
    n_classes = len(rows[0])
    assert len(rows) < NO_RULE
    assert n_classes <= 32
    padded = b"".join(bytes(row) + bytes(32 - n_classes) for row in rows)
    low, low_deltas = case_deltas(lower)
    up, up_deltas = case_deltas(upper)
    parts = [
        '"""Unicode tables, written by tables_generator.py. Do not edit."""\n\n'
        "from base64 import b64decode\nfrom zlib import decompress\n\n\n"
        "def unpack(text: str) -> bytes:\n"
        '    """The bytes of a table."""\n'
        "    return decompress(b64decode(text))\n\n",
    ]
    for name, values in (("WORD_BREAK", class_of), ("KIND", kinds()), ("LOWER", low), ("UPPER", up)):
        index, blocks = two_stages(values)
        parts.append(literal(f"{name}_INDEX", "block number by code point >> 7", index))
        parts.append(literal(f"{name}_BLOCKS", "value by code point & 127, block after block", blocks))
    parts.append(literal("TRANSITIONS", f"{len(rows)} states of 32 classes; 0: no way on; 1: start", padded))
    parts.append(numbers("ACCEPTS", f"rule that a state accepts, {NO_RULE} for none", accepts))
    parts.append(numbers("LOWER_DELTAS", "what to add to the code point, by value", low_deltas))
    parts.append(numbers("UPPER_DELTAS", "the same for upper case", up_deltas))
    Path(__file__).with_name("unicode_data.py").write_text("\n".join(parts), encoding="utf-8")
    print(f"{len(rows)} states, {n_classes} classes, {len(low_deltas)} and {len(up_deltas)} case steps")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
