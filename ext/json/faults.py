"""What is wrong with a JSON text, in the words of the Jackson parser, with its line and column."""

import json


class JsonFault(ValueError):  # noqa: N818 (what the text is, not what the reader did)
    """JSON that cannot be read.

    ends_early tells a cut-off text from a wrong one. extra names the token that follows a complete value.
    """

    def __init__(
        self, message: str, line: int, column: int, *, ends_early: bool = False, extra: str | None = None
    ) -> None:
        super().__init__(message)
        self.extra = extra
        self.message = message
        self.line = line
        self.column = column
        self.ends_early = ends_early


MESSAGES = {
    "EOF_ENTRIES": "Unexpected end-of-input within/between {kind} entries",
    "EOF_ENTRIES_COMMA": "Unexpected end-of-input within/between {kind} entries",
    "EOF_CLOSE": "Unexpected end-of-input: expected close marker for {kind} (start marker at {opened})",
    "EOF_STRING": "Unexpected end-of-input in VALUE_STRING",
    "EOF_NAME": "Unexpected end-of-input in field name",
    "EOF_ESCAPE": "Unexpected end-of-input in character escape sequence",
    "EOF_VALUE": "Unexpected end-of-input",
    "WANT_NAME": "Unexpected character ({char}): was expecting double-quote to start field name",
    "WANT_COLON": "Unexpected character ({char}): was expecting a colon to separate field name and value",
    "WANT_VALUE": "Unexpected character ({char}): expected a value",
    "WANT_VALID_VALUE": "Unexpected character ({char}): expected a valid value "
    "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
    "WANT_COMMA": "Unexpected character ({char}): was expecting comma to separate {kind} entries",
    "WRONG_CLOSE": "Unexpected close marker '{raw}': expected '{closer}' (for {kind} starting at {opened})",
    "BAD_TOKEN": "Unrecognized token '{token}': was expecting "
    "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
    "BAD_NUMBER_TOKEN": "Non-standard token '{token}': "
    "enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow",
    "CONTROL_STRING": "Illegal unquoted character ((CTRL-CHAR, code {code})): "
    "has to be escaped using backslash to be included in string value",
    "CONTROL_NAME": "Illegal unquoted character ((CTRL-CHAR, code {code})): "
    "has to be escaped using backslash to be included in name",
    "CONTROL_OUTSIDE": "Illegal character ((CTRL-CHAR, code {code})): "
    "only regular white space (\\r, \\n, \\t) is allowed between tokens",
    "BAD_ESCAPE": "Unrecognized character escape {char}",
    "BAD_HEX": "Unexpected character ({char}): expected a hex-digit for character escape sequence",
    "LEADING_ZERO": "Invalid numeric value: Leading zeroes not allowed",
    "PLUS_SIGN": "Unexpected character ('+' (code 43)) in numeric value: "
    "JSON spec does not allow numbers to have plus signs: "
    "enable `JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow",
    "AFTER_MINUS": "Unexpected character ({char}) in numeric value: "
    "expected digit (0-9) to follow minus sign, for valid numeric value",
    "AFTER_POINT": "Unexpected character ({char}) in numeric value: Decimal point not followed by a digit",
    "AFTER_EXPONENT": "Unexpected character ({char}) in numeric value: "
    "Exponent indicator not followed by a digit",
    "LONG_NUMBER": "Number value length ({size}) exceeds the maximum allowed "
    "(1000, from `StreamReadConstraints.getMaxNumberLength()`)",
    "UTF8_START": "Invalid UTF-8 start byte 0x{code:x}",
    "UTF8_MIDDLE": "Invalid UTF-8 middle byte 0x{code:x}",
    "DUPLICATE": "Duplicate field '{name}'",
    "TOO_DEEP": "Document nesting depth ({depth}) exceeds the maximum allowed "
    "({max_depth}, from `StreamReadConstraints.getMaxNestingDepth()`)",
    "TRAILING": "Unexpected character ({char}): expected the end of the input",
}
EARLY_ENDS = frozenset(("EOF_ENTRIES", "EOF_CLOSE", "EOF_STRING", "EOF_NAME", "EOF_ESCAPE", "EOF_VALUE"))
WIDE_COLUMNS = frozenset(("BAD_TOKEN", "UTF8_START", "UTF8_MIDDLE", "CONTROL_OUTSIDE"))
TOKENS = {
    "{": "START_OBJECT",
    "[": "START_ARRAY",
    "}": "END_OBJECT",
    "]": "END_ARRAY",
    '"': "VALUE_STRING",
    "t": "VALUE_BOOLEAN",
    "f": "VALUE_BOOLEAN",
    "n": "VALUE_NULL",
}
SOURCE = "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: {}, column: {}]"


def _is_word(byte: int) -> bool:
    """Tell whether a byte may continue a token that is not quoted."""
    return byte >= 0x80 or chr(byte).isalnum() or byte in b"_$"


def line_and_column(data: bytes, position: int) -> tuple[int, int]:
    """Return the line and the column of a position, both counted from one."""
    line = data.count(b"\n", 0, position) + 1
    return line, position - (data.rfind(b"\n", 0, position) + 1) + 1


def render(data: bytes, code: str, at: int, token: int, frame: tuple[int, bool], max_depth: int) -> JsonFault:
    """Return the JsonFault for a fault of the scanner."""
    char = ""
    raw = ""
    value = 0
    name = ""
    word = ""
    if at < len(data):
        value = data[at]
        raw = data[at : at + 4].decode("utf-8", "replace")[:1]
        char = f"'{raw}' (code {ord(raw)})"
        if value < 32:
            char = f"(CTRL-CHAR, code {value})"
    position = at
    if code in ("BAD_TOKEN", "BAD_NUMBER_TOKEN"):
        end = at + (code == "BAD_NUMBER_TOKEN")
        while end < len(data) and end < at + 256 and _is_word(data[end]):
            end += 1
        word = data[at:end].decode("utf-8", "replace")
        position = end
        if word in ("NaN", "Infinity", "+Infinity"):
            code = "BAD_NUMBER_TOKEN"
        if end == len(data) and code == "BAD_TOKEN":
            position -= 1  # nothing was read past the token
    if code == "DUPLICATE":
        name = data[token : at - 1].decode("utf-8", "replace")
        if "\\" in name:
            name = json.loads(f'"{name}"')
    line, column = line_and_column(data, position)
    if code in WIDE_COLUMNS:
        column += 1
    start, is_object = frame
    opened = SOURCE.format(*line_and_column(data, start))
    text = MESSAGES[code].format(
        char=char,
        raw=raw,
        code=value,
        token=word,
        name=name,
        opened=opened,
        size=at - token,
        kind="Object" if is_object else "Array",
        closer="}" if is_object else "]",
        depth=max_depth + 1,
        max_depth=max_depth,
    )
    return JsonFault(
        f"{text}\n at {SOURCE.format(line, column)}",
        line,
        column,
        ends_early=code in EARLY_ENDS,
        extra=TOKENS.get(raw, "VALUE_NUMBER") if code == "TRAILING" else None,
    )
