"""Tokenizers that know hosts, addresses of mail and the web, and acronyms: `classic` and `uax_url_email`.

Source: the grammars of Lucene 9.12 (ClassicTokenizerImpl, UAX29URLEmailTokenizerImpl), which follow RFC 1035,
1123, 3986, 5321 and 5322. At each place the longest of all rules counts, the first of them where several are
as long.
"""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from lanner.engine.analysis.language.lists import read_list
from lanner.engine.analysis.parameters import Parameters
from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.chain import Chain, Tokenizer
from lanner.ext.analysis.python_parts import FunctionTokenizer, Token
from lanner.ext.analysis.standard_tokenizer import StandardTokenizer

TokenizerMaker: TypeAlias = Callable[[], Tokenizer]

# --- classic

_CJ = (
    "\u3100-\u312f\u3040-\u309f\u30a0-\u30ff\u31f0-\u31ff\u3300-\u337f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff65-\uff9f"
)
# a letter or digit of the basic plane that is not Chinese or Japanese, or anything Thai
_WORD_CHAR = re.compile(rf"(?:[^\W_{_CJ}\U00010000-\U0010ffff]|[\u0e00-\u0e59])+|[{_CJ}]")


@dataclass(slots=True)
class _Run:
    """A run of letters and digits, and the character after it if that joins it to the next run."""

    start: int
    end: int
    joiner: str = ""
    letters: int = 0  # at its beginning
    has_digit: bool = False
    # how far rules go that begin here, as numbers of runs; -1 for none
    host: int = -1
    domain: int = -1
    mail: int = -1
    digits_first: int = -1
    digits_second: int = -1


class _Classic:
    """The runs of one text; what rules reach from each is found from the last to the first."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.runs: list[_Run] = []
        for match in _WORD_CHAR.finditer(text):
            self.runs.append(self._run(match.start(), match.end()))
        for number in range(len(self.runs) - 1, -1, -1):
            self._reach(number)

    def _run(self, start: int, end: int) -> _Run:
        text = self.text
        run = _Run(start, end)
        at = start
        while at < end and text[at].isalpha():
            at += 1
        run.letters = at - start
        run.has_digit = any(char.isdecimal() for char in text[start:end])
        if self.runs and self.runs[-1].end == start - 1 and not self.is_cj(self.runs[-1]):
            self.runs[-1].joiner = "" if self.is_cj(run) else text[start - 1]
        return run

    def is_cj(self, run: _Run) -> bool:
        """Return whether a run is a Chinese or Japanese character, which stands alone."""
        return run.end == run.start + 1 and re.match(f"[{_CJ}]", self.text[run.start]) is not None

    def _reach(self, number: int) -> None:
        runs, run = self.runs, self.runs[number]
        following = runs[number + 1] if run.joiner else None
        run.host = run.domain = number
        run.digits_first = number if run.has_digit else -1
        run.digits_second = number
        if following is None:
            return
        if run.joiner == ".":
            run.host = following.host
        if run.joiner in ".-":
            run.domain = following.domain
        if run.joiner == "@":
            run.mail = number + 1
        elif run.joiner in "._-":
            run.mail = following.mail
        if run.joiner in "_-/.,":
            if run.has_digit:
                run.digits_first = max(number, following.digits_second)
            if following.digits_first >= 0:
                run.digits_second = following.digits_first

    def tokens(self, longest: int) -> list[Token]:
        """Return the tokens of at most so many characters; longer ones leave a gap."""
        found: list[Token] = []
        number, skipped = 0, 0
        at = 0
        while number < len(self.runs):
            run = self.runs[number]
            if at > run.start:  # what a rule left of a run
                self.runs[number] = run = self._rest(run, at)
                self._reach(number)
            end, kind = self.longest_rule(number)
            if end - run.start > longest:
                skipped += 1
            else:
                term = self.text[run.start : end]
                token = Token(term, run.start, end, increment=1 + skipped, type=f"<{kind}>")
                if kind == "ACRONYM_DEP":
                    token.term, token.type = term[:-1], "<HOST>"
                found.append(token)
                skipped = 0
            at = end
            while number < len(self.runs) and self.runs[number].end <= end:
                number += 1
        return found

    def _rest(self, run: _Run, at: int) -> _Run:
        rest = _Run(at, run.end, run.joiner)
        while at < run.end and self.text[at].isalpha():
            at += 1
        rest.letters = at - rest.start
        rest.has_digit = any(char.isdecimal() for char in self.text[rest.start : rest.end])
        return rest

    def longest_rule(self, number: int) -> tuple[int, str]:
        """Return where the longest rule ends and its name."""
        runs, run = self.runs, self.runs[number]
        if self.is_cj(run):
            return run.end, "CJ"
        best = (run.end, "ALPHANUM")
        numbers = max(run.digits_first, run.digits_second)
        mail = run.mail if run.mail >= 0 and runs[run.mail].domain > run.mail else -1
        candidates = (
            (self.apostrophes(number), "APOSTROPHE"),
            (self.acronym(number, letters=True), "ACRONYM"),
            (self.company(number), "COMPANY"),
            (runs[runs[mail].domain].end if mail >= 0 else -1, "EMAIL"),
            (runs[run.host].end if run.host > number else -1, "HOST"),
            (runs[numbers].end if numbers > number else -1, "NUM"),
            (self.acronym(number, letters=False), "ACRONYM_DEP"),
        )
        for end, kind in candidates:
            if end > best[0]:
                best = (end, kind)
        return best

    def apostrophes(self, number: int) -> int:
        """Return the end of letters joined by apostrophes."""
        end = -1
        while True:
            run = self.runs[number]
            if run.joiner != "'" or run.letters < run.end - run.start:
                return end
            number += 1
            following = self.runs[number]
            if following.letters == 0:
                return end
            end = following.start + following.letters

    def company(self, number: int) -> int:
        """Return the end of two words joined by & or @."""
        run = self.runs[number]
        if run.joiner not in ("&", "@") or run.letters < run.end - run.start:
            return -1
        following = self.runs[number + 1]
        return following.start + following.letters if following.letters else -1

    def acronym(self, number: int, *, letters: bool) -> int:
        """Return the end of two or more runs, each with a full stop after it."""
        if letters:
            last = number
            while self.runs[last].end - self.runs[last].start == self.runs[last].letters == 1:
                if self.runs[last].joiner != ".":
                    break
                last += 1
            run = self.runs[last]
            whole = run.end - run.start == run.letters == 1 and self.text.startswith(".", run.end)
            last = last if whole else last - 1
        else:
            last = self.runs[number].host
            if not self.text.startswith(".", self.runs[last].end):
                last -= 1
        return self.runs[last].end + 1 if last > number else -1


def classic(parameters: Parameters) -> TokenizerMaker:
    """Words as the first releases of Lucene had them."""
    from lanner.engine.analysis.tokenizers import MAX_TOKEN_LENGTH

    length = parameters.integer("max_token_length", MAX_TOKEN_LENGTH)

    def make() -> Tokenizer:
        if length < 1:
            raise IllegalArgument("maxTokenLength must be greater than zero")
        return FunctionTokenizer(lambda text: _Classic(text).tokens(length))

    return make


# --- uax_url_email

_OCTET = "(?:2[0-4][0-9]|25[0-5]|1[0-9][0-9]|0?[1-9][0-9]|0{0,2}[0-9])"
_IPV4 = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
_HEX = "[0-9A-Fa-f]{1,4}"
_LAST_32 = f"(?:{_IPV4}|{_HEX}:{_HEX})"
_IPV6 = (
    f"(?:(?:{_HEX}:){{6}}{_LAST_32}|::(?:{_HEX}:){{5}}{_LAST_32}|(?:{_HEX})?::(?:{_HEX}:){{4}}{_LAST_32}"
    + "".join(
        f"|(?:(?:{_HEX}:){{0,{n}}}{_HEX})?::{tail}"
        for n, tail in (
            (1, f"(?:{_HEX}:){{3}}{_LAST_32}"),
            (2, f"(?:{_HEX}:){{2}}{_LAST_32}"),
            (3, f"{_HEX}:{_LAST_32}"),
            (4, _LAST_32),
            (5, _HEX),
            (6, ""),
        )  # fmt: skip
    )
    + ")"
)
_LABEL = "[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?"
_LABELS = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_ADDRESS = re.compile(rf"\[{_IPV6}\]|{_IPV4}(?![0-9])")
_UNRESERVED = "-._~A-Za-z0-9"
_SUB = "!$&'()*+,;="
_PERCENT = "%[0-9A-Fa-f]{2}"
_LOGIN = f"(?:[{_UNRESERVED}{_SUB}]|{_PERCENT})*(?::(?:[{_UNRESERVED}{_SUB}]|{_PERCENT})*)?@"
_TAIL_CHARS = f"(?:[{_UNRESERVED}{_SUB}:@/?]|{_PERCENT})*"
_PORT = ":[0-9]{1,5}"
_PATH = rf"(?:/(?:[{_UNRESERVED};:@&=]|{_PERCENT})*)+"
_QUERY = rf"\?{_TAIL_CHARS}"
_FRAGMENT = f"#{_TAIL_CHARS}"
_LOOSE_HOST = rf"(?:\[{_IPV6}\]|{_LABEL}(?:\.{_LABEL})*)"
_HTTP = re.compile(
    rf"https?://(?:{_LOGIN})?{_LOOSE_HOST}(?:{_PORT})?(?:{_PATH})?(?:{_QUERY})?(?:{_FRAGMENT})?",
    re.IGNORECASE,
)
_FILE_PATH = rf"/(?:[{_UNRESERVED}?:@&=/]|{_PERCENT})*"
_FTP = re.compile(
    rf"ftp://(?:{_LOGIN})?{_LOOSE_HOST}(?:{_PORT})?{_FILE_PATH}(?:;type=[aid])?(?:{_FRAGMENT})?",
    re.IGNORECASE,
)
_FILE = re.compile(rf"file://(?:{_LOOSE_HOST})?{_FILE_PATH}(?:{_FRAGMENT})?", re.IGNORECASE)
_TAIL = re.compile(rf"(?:{_PORT})?(?:{_PATH})?(?:{_QUERY})?(?:{_FRAGMENT})?")
# as the grammar of Lucene has it, where "+-/" is a range: with comma and full stop
_ATOM = r"[A-Za-z0-9!#$%&'*+,\-./=?^_`{|}~]++"
_QUOTED = r'"(?:[\x01-\x08\x0b\x0c\x0e-\x21\x23-\x5b\x5d-\x7e]|\\[\x00-\x7f])*+"'
_LOCAL = re.compile(rf"(?:{_ATOM}|(?:^|(?<=\.)){_QUOTED}(?=[.@]))+@")
_BRACKETED = re.compile(r"\[(?:[\x01-\x08\x0b\x0c\x0e-\x5a\x5e-\x7f]|\\[\x00-\x7f])*\]")


@functools.cache
def _domains() -> frozenset[str]:
    return frozenset(name for line in read_list("top_level_domains.txt") for name in line.split())


def _strict_ends(text: str, at: int) -> list[int]:
    """Return where hosts end that begin at a place and end with a domain that exists; the longest first."""
    labels = _LABELS.match(text, at)
    if labels is None:
        return []
    ends: list[int] = []
    end = at
    for number, label in enumerate(labels[0].split(".")):
        end += len(label) + (1 if number else 0)
        if number and label.lower() in _domains():
            ends.append(end)
            if text.startswith(".", end):  # the empty domain of the root
                ends.append(end + 1)
    return ends[::-1]


def _mail_end(text: str, at: int) -> int:
    """Return where an address of mail ends that begins at a place, or -1."""
    local = _LOCAL.match(text, at)
    if local is None:
        return -1
    bracketed = _BRACKETED.match(text, local.end())
    if bracketed:
        return bracketed.end()
    labels = _LABELS.match(text, local.end())
    best = -1
    end = local.end()
    for number, label in enumerate(labels[0].split(".") if labels else ()):
        start = end + (1 if number else 0)
        end = start + len(label)
        if number == 0:
            continue
        for size in range(len(label), 0, -1):
            if label[:size].lower() in _domains():
                best = start + size
                best += text.startswith(".", best)
                break
    return best


def _joins_word(text: str, at: int) -> bool:
    return at < len(text) and (text[at] in "-_" or text[at].isalnum())


def _url_end(text: str, at: int) -> int:
    """Return where an address of the web ends that begins at a place, or -1."""
    for pattern in (_HTTP, _FTP, _FILE):
        match = pattern.match(text, at)
        if match:
            return match.end()
    best = -1
    address = _ADDRESS.match(text, at)
    for end in [*([address.end()] if address else ()), *_strict_ends(text, at)]:
        tail = _TAIL.match(text, end)
        if tail and tail.end() > end:
            best = max(best, tail.end())
        elif end == len(text) and (text[end - 1] == "." or (address and text[end - 2 : end].isdigit())):
            continue  # the grammar of Lucene wants to see what follows
        elif not _joins_word(text, end):
            best = max(best, end)
    return best


LONGEST_ADDRESS = 4096  # characters; so much is looked at from each place of a text


class _Addresses:
    """Finds addresses between words."""

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self.words = Chain([], StandardTokenizer(longest), [])

    def address(self, text: str, at: int) -> tuple[int, str]:
        """Return the end and type of the address at a place, -1 for none."""
        char = text[at]
        if not char.isascii() or char.isspace():
            return -1, ""
        window = text[at : at + min(self.longest, LONGEST_ADDRESS)]
        mail = _mail_end(window, 0) if "@" in window else -1
        url = (
            _url_end(window, 0)
            if char == "[" or (char.isalnum() and ("." in window or "://" in window))
            else -1
        )
        if url >= mail:
            return (url + at, "<URL>") if url > 0 else (-1, "")
        return mail + at, "<EMAIL>"

    def stretch(self, text: str, start: int) -> tuple[list[tuple[int, int, str]], int]:
        """Return the words from a place on, and up to where they are sure."""
        size = 4 * self.longest + 64
        window = text[start : start + size]
        whole = start + size >= len(text)
        sure = len(window) if whole else len(window) - self.longest - 16
        # places in UTF-16 units back to characters
        back = None if window.isascii() or max(window, default="") < "\U00010000" else _characters_of(window)
        found = []
        for _, first, last, _, kind, *_ in self.words.tokens(window):
            first, last = (first, last) if back is None else (back[first], back[last])
            if first >= sure:
                break
            found.append((start + first, start + last, kind))
        return found, start + sure

    def tokens(self, text: str) -> list[Token]:
        """Return words and addresses."""
        found: list[Token] = []
        at = 0
        words, sure = self.stretch(text, 0)
        number = 0
        while at < len(text):
            if at >= sure:
                words, sure = self.stretch(text, at)
                number = 0
            while number < len(words) and words[number][0] < at:
                number += 1
            word = words[number] if number < len(words) else (sure, sure, "")
            at, made = self.step(text, at, word)
            if made is None:
                continue
            found.append(made)
            while number < len(words) and words[number][1] <= at:
                number += 1
            if number < len(words) and words[number][0] < at:
                words, sure = self.stretch(text, at)  # an address ended within a word
                number = 0
        return found

    def step(self, text: str, at: int, word: tuple[int, int, str]) -> tuple[int, Token | None]:
        """Return the next place and the token that begins here, if one does."""
        if (
            text[at : at + 7].lower() == "mailto:"
            and _mail_end(text[at + 7 : at + min(self.longest, LONGEST_ADDRESS)], 0) > 0
        ):
            return at + 6, Token(text[at : at + 6], at, at + 6, type="<ALPHANUM>")
        end, kind = self.address(text, at)
        if word[0] == at and word[2] and word[1] > end:
            end, kind = word[1], word[2]
        if end < 0:
            return at + 1, None
        return end, Token(text[at:end], at, end, type=kind)


def _characters_of(text: str) -> dict[int, int]:
    """Return the number of each character by its place in UTF-16 units."""
    found: dict[int, int] = {}
    place = 0
    for number, char in enumerate(text):
        found[place] = number
        place += 2 if char > "\uffff" else 1
    found[place] = len(text)
    return found


def uax_url_email(parameters: Parameters) -> TokenizerMaker:
    """Words, and addresses of mail and the web as one token each."""
    from lanner.engine.analysis.tokenizers import MAX_TOKEN_LENGTH, make_standard

    length = parameters.integer("max_token_length", MAX_TOKEN_LENGTH)

    def make() -> Tokenizer:
        make_standard(length)
        return FunctionTokenizer(_Addresses(length).tokens)

    return make
