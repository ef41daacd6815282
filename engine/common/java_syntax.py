"""Regular expressions as java.util.regex writes them, in the syntax of the package regex.

Translated are classes and their set operations, POSIX and Unicode properties, quoting, the anchors and the
flags; what has no counterpart is refused.
"""

import re

from lanner.engine.common.errors import IllegalArgument, PatternSyntaxError

LONGEST = 10_000  # characters of an expression: its parser recurs into groups
DEEPEST = 100  # groups within groups

_ASCII_CLASSES = {
    "d": "0-9",
    "w": "a-zA-Z_0-9",
    "s": " \\t\\n\\x0b\\f\\r",
    "h": " \\t\\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000",
    "v": "\\n\\x0b\\f\\r\\x85\\u2028\\u2029",
}
_UNICODE_CLASSES = {
    "d": "\\p{Nd}",
    "w": "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}",
    "s": "\\p{White_Space}",
    "h": _ASCII_CLASSES["h"],
    "v": _ASCII_CLASSES["v"],
}
_POSIX = {
    "Lower": "a-z",
    "Upper": "A-Z",
    "ASCII": "\\x00-\\x7f",
    "Alpha": "a-zA-Z",
    "Digit": "0-9",
    "Alnum": "a-zA-Z0-9",
    "Punct": "!-/:-@\\[-`{-~",
    "Graph": "!-~",
    "Print": " -~",
    "Blank": " \\t",
    "Cntrl": "\\x00-\\x1f\\x7f",
    "XDigit": "0-9a-fA-F",
    "Space": " \\t\\n\\x0b\\f\\r",
    "javaLowerCase": "\\p{Lowercase}",
    "javaUpperCase": "\\p{Uppercase}",
    "javaTitleCase": "\\p{Lt}",
    "javaAlphabetic": "\\p{Alphabetic}",
    "javaDigit": "\\p{Nd}",
    "javaLetter": "\\p{L}",
    "javaLetterOrDigit": "\\p{L}\\p{Nd}",
    "javaSpaceChar": "\\p{Z}",
    "javaWhitespace": "\\t-\\r\\x1c-\\x1f \\u1680\\u2000-\\u2006\\u2008-\\u200a\\u2028\\u2029\\u205f\\u3000",
    "L1": "\\x00-\\xff",
    "all": "\\x00-\\U0010ffff",
}
_CONTROLS = {"t": "\\t", "n": "\\n", "r": "\\r", "f": "\\f", "a": "\\x07", "e": "\\x1b"}
_LINE_ENDS = "\\n\\r\\x85\\u2028\\u2029"
_FLAG_LETTERS = {"i": "CASE_INSENSITIVE", "m": "MULTILINE", "s": "DOTALL", "u": "UNICODE_CASE",
                 "x": "COMMENTS", "d": "UNIX_LINES", "U": "UNICODE_CHAR_CLASS"}  # fmt: skip
_FLAGS = frozenset({*_FLAG_LETTERS.values(), "CANON_EQ", "LITERAL", "UNICODE_CHARACTER_CLASS"})
_BAD_NAME = re.compile(r"\(\?<[^=!a-zA-Z]")
_OPENING = re.compile(r"\((?:\?(?:[:=!>]|<[=!]|<([a-zA-Z][a-zA-Z0-9]*)>|([a-zA-Z]*)(-[a-zA-Z]*)?([:)])))?")
_SPECIAL = frozenset("\\[](){}.*+?^$|&~-# \t\n\r\f\v")


def read_flags(text: str | None) -> frozenset[str]:
    """Return the flags of a setting like ``CASE_INSENSITIVE|DOTALL``; raises IllegalArgument."""
    found = set()
    for name in (text or "").split("|"):
        stripped = name.strip().upper()
        if not stripped:
            continue
        if stripped not in _FLAGS:
            raise IllegalArgument(f"Unknown regex flag [{stripped}]")
        found.add("UNICODE_CHAR_CLASS" if stripped == "UNICODE_CHARACTER_CLASS" else stripped)
    if "CANON_EQ" in found:
        raise IllegalArgument("regex flag [CANON_EQ] is not available")
    return frozenset(found)


class Translator:
    """Reads one expression."""

    def __init__(self, pattern: str, flags: frozenset[str]) -> None:
        self.pattern = pattern
        self.flags = set(flags)
        self.at = 0
        self.n_groups = 0  # that capture, so far
        self.references: set[int] = set()  # to groups

    def fault(self, reason: str, at: int | None = None) -> PatternSyntaxError:
        """Return the complaint as Java words it, with a mark below the place."""
        place = self.at if at is None else at
        mark = "" if place >= len(self.pattern) else "\n" + " " * place + "^"
        return PatternSyntaxError(f"{reason} near index {place}\n{self.pattern}{mark}")

    def translate(self) -> str:
        """Return the expression for the package regex."""
        if len(self.pattern) > LONGEST:
            raise IllegalArgument(f"regular expressions may have at most {LONGEST} characters")
        if "LITERAL" in self.flags:
            return "".join(map(_literal, self.pattern))
        # each group restores the flags that were set when it began
        saved: list[set[str]] = []
        out: list[str] = []
        while self.at < len(self.pattern):
            char = self.pattern[self.at]
            if char == "\\":
                out.append(self.escape(in_class=False))
            elif char == "[":
                out.append(self.char_class())
            elif char == "(":
                saved.append(set(self.flags))
                if len(saved) > DEEPEST:
                    raise IllegalArgument(f"regular expressions may have at most {DEEPEST} nested groups")
                opened = self.group()
                if opened is None:  # flags that hold from here on
                    saved.pop()
                else:
                    out.append(opened)
            elif char == ")":
                if not saved:
                    raise self.fault("Unmatched closing ')'", max(self.at - 1, 0))
                self.flags = saved.pop()
                out.append(char)
                self.at += 1
            else:
                out.append(self.plain(char, out))
        if saved:
            raise self.fault("Unclosed group")
        # a reference to a group that there is not never matches
        missing = {f"\\g<{number}>" for number in self.references if number > self.n_groups}
        return "".join("(?!)" if part in missing else part for part in out)

    def plain(self, char: str, out: list[str]) -> str:
        """Translate a character outside classes."""
        self.at += 1
        if char == ".":
            if "DOTALL" in self.flags:
                return "[\\x00-\\U0010ffff]"
            return "[^\\n]" if "UNIX_LINES" in self.flags else f"[^{_LINE_ENDS}]"
        if char == "^":
            if "MULTILINE" not in self.flags:
                return "\\A"
            return "(?:\\A|(?<=\\n)(?!\\Z))" if "UNIX_LINES" in self.flags else self._line_start()
        if char == "$":
            return self._end(multiline="MULTILINE" in self.flags)
        if char in "*+?":
            return self._repeat(char, out)
        if char == "|":
            return char
        if char == "{":
            return self._bounds()
        if "COMMENTS" in self.flags:
            if char in " \t\n\x0b\f\r":
                return ""
            if char == "#":
                while self.at < len(self.pattern) and self.pattern[self.at] not in "\n\r\x85\u2028\u2029":
                    self.at += 1
                return ""
        return self._cased(_literal(char), char)

    def _repeat(self, char: str, out: list[str]) -> str:
        """Check that there is something to repeat, which a repetition itself is not."""
        before = out[-1] if out else ""
        nothing = before in ("", "|", "(") or before.startswith("(?")
        again = _repeats(before) and (char == "*" or (len(out) > 1 and _repeats(out[-2])))
        if nothing or again:
            raise self.fault(f"Dangling meta character '{char}'", self.at - 1)
        return char

    def _cased(self, written: str, char: str) -> str:
        """Return a literal, in both cases where the flags say so."""
        if "CASE_INSENSITIVE" not in self.flags or not (char.isascii() or "UNICODE_CASE" in self.flags):
            return written
        forms = {char, char.lower(), char.upper(), char.title()}
        single = sorted(form for form in forms if len(form) == 1)
        return written if len(single) == 1 else "[" + "".join(map(_literal, single)) + "]"

    @staticmethod
    def _line_start() -> str:
        return "(?:\\A|(?<=\\r\\n|\\n|[\\x85\\u2028\\u2029]|\\r(?!\\n))(?!\\Z))"

    def _end(self, *, multiline: bool) -> str:
        if "UNIX_LINES" in self.flags:
            return "(?=\\n|\\Z)" if multiline else "(?=\\n?\\Z)"
        if multiline:
            return "(?:(?=\\r\\n|[\\r\\x85\\u2028\\u2029]|\\Z)|(?<!\\r)(?=\\n))"
        return "(?:(?=(?:\\r\\n|[\\r\\x85\\u2028\\u2029])?\\Z)|(?<!\\r)(?=\\n\\Z))"

    def _bounds(self) -> str:
        match = re.compile(r"(\d+)(?:(,)(\d*))?\}", re.ASCII).match(self.pattern, self.at)
        if match is None:
            digits = re.compile(r"\d*").match(self.pattern, self.at)
            assert digits is not None
            unclosed = digits[0] and digits.end() == len(self.pattern)
            raise self.fault("Unclosed counted closure" if unclosed else "Illegal repetition", digits.end())
        self.at = match.end()
        least, _, most = match.groups()
        if most and int(most) < int(least):
            raise self.fault("Illegal repetition range", self.at - 1)
        return "{" + match[0]

    def group(self) -> str | None:
        """Translate what opens a group; None: it held flags only."""
        if _BAD_NAME.match(self.pattern, self.at):
            raise self.fault("capturing group name does not start with a Latin letter", self.at + 3)
        match = _OPENING.match(self.pattern, self.at)
        assert match is not None
        opened = match[0]
        if opened == "(" and self.pattern.startswith("(?", self.at):
            at = self.at + 2
            reason = "Unknown group type" if len(self.pattern) > at else "Unknown inline modifier"
            raise self.fault(reason, min(at, len(self.pattern)))
        name, on, off, end = match.groups()
        self.at = match.end()
        if name is not None:
            self.n_groups += 1
            return f"(?P<{name}>"
        if end is None:
            self.n_groups += opened == "("
            return opened
        for letter in (on or "") + (off or "").lstrip("-"):
            if letter not in _FLAG_LETTERS:
                raise self.fault("Unknown inline modifier", match.start() + 2)
        self.flags |= {_FLAG_LETTERS[letter] for letter in on or ""}
        self.flags -= {_FLAG_LETTERS[letter] for letter in (off or "").lstrip("-")}
        return None if end == ")" else "(?:"

    def escape(self, *, in_class: bool) -> str:
        """Translate a backslash and what follows it."""
        start = self.at
        if start + 1 >= len(self.pattern):
            raise self.fault("Unexpected internal error", start + 1)
        char = self.pattern[start + 1]
        self.at += 2
        if char == "Q":
            end = self.pattern.find("\\E", self.at)
            quoted = self.pattern[self.at :] if end < 0 else self.pattern[self.at : end]
            self.at = len(self.pattern) if end < 0 else end + 2
            return "".join(_literal(one) if in_class else self._cased(_literal(one), one) for one in quoted)
        if char.lower() in "dwshv":
            return self._shorthand(char, in_class=in_class)
        if char in "pP":
            return self._property(negated=char == "P", in_class=in_class)
        if char in "ux0cx" or char in _CONTROLS:
            point = self._code_point(char)
            return _literal(point) if in_class else self._cased(_literal(point), point)
        if in_class:
            if char.isascii() and char.isalpha():
                raise self.fault("Illegal/unsupported escape sequence", start + 1)
            return _literal(char)
        return self._outside(char, start)

    def _outside(self, char: str, start: int) -> str:
        if char in "AG":
            return "\\" + char
        if char == "b":
            word = "\\p{L}\\p{Nd}\\p{M}_"
            return f"(?:(?<=[{word}])(?![{word}])|(?<![{word}])(?=[{word}]))"
        if char == "B":
            word = "\\p{L}\\p{Nd}\\p{M}_"
            return f"(?:(?<=[{word}])(?=[{word}])|(?<![{word}])(?![{word}]))"
        if char == "z":
            return "\\Z"
        if char == "Z":
            return self._end(multiline=False)
        if char == "R":
            return f"(?:\\r\\n|[{_ASCII_CLASSES['v']}])"
        if char == "X":
            return "\\X"
        if char == "k":
            match = re.compile(r"<([a-zA-Z][a-zA-Z0-9]*)>").match(self.pattern, self.at)
            if match is None:
                raise self.fault("\\k is not followed by '<' for named capturing group", start + 2)
            self.at = match.end()
            return f"(?P={match[1]})"
        if char in "123456789":
            return f"\\g<{self._group_number(char)}>"
        if char.isascii() and char.isalpha():
            raise self.fault("Illegal/unsupported escape sequence", start + 1)
        return self._cased(_literal(char), char)

    def _group_number(self, digit: str) -> int:
        number = int(digit)
        while self.at < len(self.pattern) and self.pattern[self.at].isdigit():
            longer = number * 10 + int(self.pattern[self.at])
            if longer > self.n_groups:
                break
            number = longer
            self.at += 1
        self.references.add(number)
        return number

    def _shorthand(self, char: str, *, in_class: bool) -> str:
        table = _UNICODE_CLASSES if "UNICODE_CHAR_CLASS" in self.flags else _ASCII_CLASSES
        content = table[char.lower()]
        if char.isupper():
            return f"[^{content}]"
        return content if in_class else f"[{content}]"

    def _property(self, *, negated: bool, in_class: bool) -> str:
        match = re.compile(r"\{([^}]*)\}|([a-zA-Z])").match(self.pattern, self.at)
        if match is None:
            raise self.fault("Unclosed character family" if self.pattern[self.at : self.at + 1] == "{"
                             else "Illegal/unsupported escape sequence", len(self.pattern) - 1)  # fmt: skip
        name = match[1] if match[1] is not None else match[2]
        self.at = match.end()
        content = _POSIX.get(name)
        if content is not None and "UNICODE_CHAR_CLASS" in self.flags and not name.startswith("java"):
            content = f"\\p{{{name}}}"
        if content is None:
            content = self._unicode_property(name)
        if negated:
            return f"[^{content}]"
        return content if in_class else f"[{content}]"

    def _unicode_property(self, name: str) -> str:
        import regex

        key, sep, value = name.partition("=")
        if sep:
            known = {"script": "Script", "sc": "Script", "block": "Block", "blk": "Block",
                     "general_category": "General_Category", "gc": "General_Category"}  # fmt: skip
            form = f"{known.get(key.lower(), '')}={value}" if key.lower() in known else ""
        elif name.startswith("In"):
            form = f"Block={name[2:]}"
        elif name.startswith("Is"):
            form = name[2:]
        else:
            form = f"General_Category={name}"
        for tried in (form, f"Script={form}" if name.startswith("Is") else ""):
            try:
                if tried:
                    regex.compile(f"\\p{{{tried}}}")
                    return f"\\p{{{tried}}}"
            except regex.error:
                continue
        raise self.fault(f"Unknown character property name {{{name}}}", self.at - 1)

    def _code_point(self, char: str) -> str:
        if char in _CONTROLS:
            return {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "a": "\a", "e": "\x1b"}[char]
        forms = {
            "u": r"([0-9a-fA-F]{4})",
            "x": r"([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\}",
            "0": r"([0-3]?[0-7]{1,2})",
            "c": r"(.)",
        }
        match = re.compile(forms[char], re.DOTALL).match(self.pattern, self.at)
        names = {"u": "Unicode", "x": "hexadecimal", "0": "octal", "c": "control"}
        if match is None:
            raise self.fault(f"Illegal {names[char]} escape sequence")
        self.at = match.end()
        digits = next(group for group in match.groups() if group is not None)
        if char == "c":
            return chr(ord(digits) ^ 64)
        point = int(digits, 8 if char == "0" else 16)
        if point > 0x10FFFF:
            raise self.fault("Hexadecimal codepoint is too big")
        if 0xD800 <= point < 0xDC00 and char == "u":  # the other half of a pair may follow
            low = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})").match(self.pattern, self.at)
            if low:
                self.at = low.end()
                return chr(0x10000 + ((point - 0xD800) << 10) + int(low[1], 16) - 0xDC00)
        return chr(point)

    def char_class(self) -> str:
        """Translate a class, classes within it too; no recursion."""
        first = self.at
        out: list[str] = []
        depth = 0
        while True:
            if self.at >= len(self.pattern):
                raise self.fault("Unclosed character class", len(self.pattern) - 1)
            char = self.pattern[self.at]
            if char == "[":
                depth += 1
                if depth > DEEPEST:
                    raise IllegalArgument(f"regular expressions may have at most {DEEPEST} nested classes")
                self.at += 1
                out.append("[")
                if self.pattern.startswith("^", self.at):
                    self.at += 1
                    out.append("^")
                if self.pattern.startswith("]", self.at):
                    # a bracket at the start is no end, as in Java
                    self.at += 1
                    out.append("\\]")
            elif char == "]":
                self.at += 1
                depth -= 1
                out.append("]")
                if depth == 0:
                    return "".join(out)
            elif self.pattern.startswith("&&", self.at):
                self.at += 2
                out.append("&&")
            elif char == "\\":
                out.append(self._ranged(self.escape(in_class=True), first))
            else:
                self.at += 1
                out.append(self._ranged(_literal(char), first))

    def _ranged(self, low: str, first: int) -> str:
        """Return a member of a class, with the range that it begins."""
        pattern = self.pattern
        single = not low.startswith(("[", "\\p")) and _is_single(low)
        if single and pattern.startswith("-", self.at) and self.at + 1 < len(pattern) \
                and pattern[self.at + 1] not in "][" and not pattern.startswith("-&&", self.at):  # fmt: skip
            self.at += 1
            if pattern[self.at] == "\\":
                high = self.escape(in_class=True)
            else:
                high = _literal(pattern[self.at])
                self.at += 1
            if not _is_single(high):
                raise self.fault("Illegal character range")
            if _value(high) < _value(low):
                raise self.fault("Illegal character range", self.at - 1)
            return self._range_cased(_value(low), _value(high), f"{low}-{high}")
        if single:
            return self._range_cased(_value(low), _value(low), low)
        return low

    def _range_cased(self, low: int, high: int, written: str) -> str:
        """Return a range with the other case of its letters where the flags say so."""
        if "CASE_INSENSITIVE" not in self.flags:
            return written
        extra = []
        for first, last, step in ((65, 90, 32), (97, 122, -32)):
            start, end = max(low, first), min(high, last)
            if start <= end:
                extra.append(f"{chr(start + step)}-{chr(end + step)}")
        if "UNICODE_CASE" in self.flags and high > 127 and high - low < 4096:
            for point in range(max(low, 128), high + 1):
                forms = {chr(point).lower(), chr(point).upper()}
                extra += [_literal(form) for form in forms if len(form) == 1]
        return written + "".join(extra)


def _repeats(written: str) -> bool:
    return written in ("*", "+", "?") or written.startswith("{")


def _literal(char: str) -> str:
    """Return a character as it is written for the package regex."""
    if char in _SPECIAL:
        return f"\\x{ord(char):02x}"
    return char if char.isprintable() or ord(char) > 0x7F else f"\\x{ord(char):02x}"


def _is_single(written: str) -> bool:
    return len(written) == 1 or re.fullmatch(r"\\x[0-9a-f]{2}", written) is not None


def _value(written: str) -> int:
    return ord(written) if len(written) == 1 else int(written[2:], 16)
