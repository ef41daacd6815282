"""Takes tags out of HTML and puts characters in the place of entities.

Source: HTMLStripCharFilter of Lucene 9.12. Tags of blocks become line ends; scripts, styles and comments go.
What is no tag after all stays as it is.
"""

import html.entities
import re

from lanner.engine.analysis.language.endings import endings

_ENTITIES = {name: chr(point) for name, point in html.entities.name2codepoint.items()} | {
    "AMP": "&", "COPY": "\u00a9", "GT": ">", "LT": "<", "QUOT": '"', "REG": "\u00ae",
    "amp": "&",
}  # fmt: skip
_INLINE = frozenset(
    endings(
        "a b i q s u abbr acronym basefont bdo big cite code dfn em font img input kbd label samp select "
        "small span strike strong sub sup textarea tt var"
    )
)
_REFERENCE = re.compile(r"&(?:#(?:[xX]([0-9A-Fa-f]+)|([0-9]+))|([a-zA-Z][a-zA-Z0-9]*))(;?)")
_NAME = re.compile(r"[:_]|[^\W\d_]")
_NAME_REST = re.compile(r"[-.:_\w·]*")
_SPACE = re.compile(r"\s*")
_ATTRIBUTE = re.compile(r"\s+[:_\w][-.:_\w]*\s*=\s*(['\"])")
_SPECIAL = re.compile(r"\s*(br|script|style)(?=\s|/?>)", re.IGNORECASE)
_AFTER_NAME = re.compile(r"[\s=]|/?>")
_END_TAG = re.compile(r"</\s*([:_\w][-.:_\w]*+)(?:\s*>|\Z)")
_INCLUDE = re.compile(r"<!--#")


class _Scanner:
    """One text on its way; changes are (start, end, what stands there instead)."""

    def __init__(self, text: str, escaped: frozenset[str]) -> None:
        self.text = text
        self.escaped = escaped
        self.kept = escaped - {"script", "style"}  # what is left of those is never kept
        self.changes: list[tuple[int, int, str]] = []
        self.dead: set[int] = set()  # places within a tag from which no end of the tag was found
        self.next_bracket = -1  # the last > that was looked for

    def run(self) -> list[tuple[int, int, str]]:
        """Return the changes."""
        text = self.text
        at = 0
        opening = re.compile("[&<]")
        while True:
            match = opening.search(text, at)
            if match is None:
                return self.changes
            at = match.start()
            at = self.reference(at) if text[at] == "&" else self.tag(at)

    def change(self, start: int, end: int, instead: str) -> int:
        """Note a change; return where it ends."""
        self.changes.append((start, end, instead))
        return end

    def reference(self, at: int) -> int:
        """Read a reference to a character; return the place to go on from."""
        match = _REFERENCE.match(self.text, at)
        if match is None:
            return at + 1
        hexadecimal, decimal, name, semicolon = match.groups()
        at_end = match.end() == len(self.text)
        if name is not None:
            return self._named(match, name, semicolon, at_end=at_end)
        if not semicolon and not at_end:
            return match.end()
        if len(hexadecimal or "") > 5 and len(hexadecimal or "") > 5 or len(decimal or "") > 7:
            return match.end()
        point = int(hexadecimal, 16) if hexadecimal is not None else int(decimal)
        if point > 0x10FFFF:
            return match.end()
        if 0xD800 <= point < 0xDC00:
            paired = self._pair(match.end(), point)
            if paired is not None:
                return self.change(at, *paired)
        return self.change(at, match.end(), "\ufffd" if 0xD800 <= point < 0xE000 else chr(point))

    def _named(self, match: re.Match[str], name: str, semicolon: str, *, at_end: bool) -> int:
        if semicolon:
            found = _ENTITIES.get(name)
            return match.end() if found is None else self.change(match.start(), match.end(), found)
        if at_end and name in _ENTITIES:
            return self.change(match.start(), match.end(), _ENTITIES[name])
        return match.start() + 1

    def _pair(self, at: int, high: int) -> tuple[int, str] | None:
        match = _REFERENCE.match(self.text, at)
        if match is None or not match[4] or match[3] is not None:
            return None
        low = int(match[1], 16) if match[1] is not None else int(match[2])
        if not 0xDC00 <= low < 0xE000:
            return None
        return match.end(), chr(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00)

    def tag(self, at: int) -> int:
        """Read what a < begins; return the place to go on from."""
        text = self.text
        following = text[at + 1 : at + 2]
        if following == "!":
            return self.declaration(at)
        if following == "/":
            return self.end_tag(at)
        if following == "?":
            end = self.bracket(at)
            if at + 2 < end < len(text) and text[end - 1] in "/?":
                return self.change(at, end + 1, "")
            return at + 1
        special = _SPECIAL.match(text, at + 1)
        if special:
            done = self.special(at, special)
            if done >= 0:
                return done
        return self.start_tag(at)

    def special(self, at: int, match: re.Match[str]) -> int:
        """Read <br>, <script> or <style>; return the place to go on from, -1 if it is no such tag."""
        name = match[1].lower()
        end = self.content_end(match.end())
        if end < 0:
            return -1
        if name == "br":
            return end if "br" in self.escaped else self.change(at, end, "\n")
        return self.raw_text(at, end, name)

    def raw_text(self, at: int, content: int, name: str) -> int:
        """Read a script or style sheet to its end tag."""
        text = self.text
        stop = re.compile(rf"<!--|</\s*{name}\s*>", re.IGNORECASE)
        start = content if name in self.escaped else at
        place = content
        while True:
            match = stop.search(text, place)
            if match is None:
                return self.change(start, len(text), "")
            if match[0] != "<!--":
                if name in self.escaped:
                    self.change(start, match.start(), "")
                    return match.end()
                return self.change(start, match.end(), "\n")
            place = self.comment_end(match.end(), quotes=True)
            if place < 0:
                return self.change(start, len(text), "")

    def comment_end(self, at: int, *, quotes: bool) -> int:
        """Return the place after the end of a comment, -1 if it has none; quotes: strings hide the end."""
        text = self.text
        stop = re.compile("<!--#|-->|['\"]" if quotes else "<!--#|-->")
        include = False
        while True:
            match = (re.compile("-->|['\"]") if include else stop).search(text, at)
            if match is None:
                return -1
            at = match.end()
            if match[0] == "-->":
                if not include:
                    return at
                include = False
            elif match[0] == "<!--#":
                include = True
            else:
                at = self.string_end(at, match[0])
                if at < 0:
                    return -1

    def string_end(self, at: int, quote: str) -> int:
        """Return the place after the end of a quoted string."""
        match = re.compile(rf"(?:[^\\{quote}]|\\.)*+{quote}", re.DOTALL).match(self.text, at)
        return match.end() if match else -1

    def declaration(self, at: int) -> int:
        """Read a comment, a section of character data or a declaration."""
        text = self.text
        if text.startswith("<!--", at):
            end = self.comment_end(at + 4, quotes=False)
            return self.change(at, len(text) if end < 0 else end, "")
        if text.startswith("<![CDATA[", at):
            self.change(at, at + 9, "")
            end = text.find("]]>", at + 9)
            return len(text) if end < 0 else self.change(end, end + 3, "")
        end = text.find(">", at + 2)
        return len(text) if end < 0 else self.change(at, end + 1, "")

    def bracket(self, at: int) -> int:
        """Return the place of the next >, that of the end if there is none."""
        if self.next_bracket < at:
            found = self.text.find(">", at)
            self.next_bracket = len(self.text) if found < 0 else found
        return self.next_bracket

    def end_tag(self, at: int) -> int:
        """Read an end tag."""
        match = _END_TAG.match(self.text, at)
        if match is None:
            return at + 1
        name = match[1].lower()
        if name in self.kept:
            return match.end()
        cut = not match[0].endswith(">")  # the text ends within the name
        return self.change(at, match.end(), "" if cut or name in _INLINE else "\n")

    def start_tag(self, at: int) -> int:
        """Read a start tag."""
        text = self.text
        spaces = _SPACE.match(text, at + 1)
        assert spaces is not None
        first = _NAME.match(text, spaces.end())
        if first is None:
            return at + 1
        rest = _NAME_REST.match(text, first.end())
        assert rest is not None
        name = text[first.start() : rest.end()].lower()
        end = self.content_end(rest.end()) if _AFTER_NAME.match(text, rest.end()) else -1
        if end < 0:
            if rest.end() == len(text) and name not in self.kept:
                return self.change(at, len(text), "")  # the text ends within the name
            return rest.end()
        if name in self.kept:
            return end
        return self.change(at, end, "" if name in _INLINE else "\n")

    def content_end(self, at: int) -> int:
        """Return the place after the end of a tag whose attributes begin at a place, -1 if it has none.

        All ways to read quotes are followed at once; the longest counts.
        """
        text, size = self.text, len(self.text)
        reached = {at}
        end = -1
        furthest = at
        passed: list[int] = []
        place = at
        while place <= furthest and place < size:
            if place not in reached or place in self.dead:
                place += 1
                continue
            passed.append(place)
            char = text[place]
            steps: list[int] = []
            if char == ">":
                end = place + 1
                passed.clear()
            elif char == "<":
                if _INCLUDE.match(text, place):
                    steps += self._include_end(place)
            else:
                steps.append(place + 1)
                if char.isspace():
                    steps += self._attribute_ends(place)
            for step in steps:
                reached.add(step)
                furthest = max(furthest, step)
            place += 1
        if end < 0:
            self.dead.update(passed)
        return end

    def _attribute_ends(self, at: int) -> list[int]:
        """Return where an attribute with a quoted value ends."""
        match = _ATTRIBUTE.match(self.text, at)
        if match is None:
            return []
        quote = match[1]
        ends: list[int] = []
        place = match.end()
        while len(ends) < 8:  # quotes behind backslashes end the value or do not
            found = self.text.find(quote, place)
            if found < 0:
                return ends
            ends.append(found + 1)
            if self.text[found - 1] != "\\":
                return ends
            place = found + 1
        return ends

    def _include_end(self, at: int) -> list[int]:
        """Return where a server side include ends."""
        end = self.text.find("-->", at + 5)
        return [end + 3] if end >= 0 else []


def strip_html(text: str, escaped: frozenset[str] = frozenset()) -> list[tuple[int, int, str]]:
    """Return the changes that take the tags out; escaped: names of tags that stay, in lower case."""
    if "<" not in text and "&" not in text:
        return []
    return _Scanner(text, escaped).run()
