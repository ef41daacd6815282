class Breaks:
    def preceding(self, offset: int) -> int:
        """Return the last boundary before an offset, -1 if there is none."""
    def following(self, offset: int) -> int:
        """Return the first boundary after an offset, -1 if there is none."""

class WholeText(Breaks):
    def __init__(self, text: str) -> None: ...

class SentenceBreaks(Breaks):
    def __init__(self, text: str) -> None: ...

class WordBreaks(Breaks):
    def __init__(self, text: str) -> None: ...

class BoundedSentences(Breaks):
    def __init__(self, text: str, most: int) -> None: ...
