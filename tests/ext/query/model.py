"""Phrases, slow and obvious: what a document's lists of positions say."""

from collections.abc import Sequence


def phrase_freq(positions: Sequence[Sequence[int]], places: Sequence[int]) -> int:
    """Return how often the terms stand exactly at their places. positions: of each term of the phrase."""
    return sum(
        all(start + place in at for at, place in zip(positions, places, strict=True))
        for start in {at - places[0] for at in positions[0]}
    )


class Cursor:
    """One term of a sloppy phrase: its place in the phrase, and where it stands."""

    def __init__(self, number: int, place: int, positions: Sequence[int]) -> None:
        self.number = number
        self.place = place
        self.positions = positions
        self.index = 0

    @property
    def position(self) -> int:
        return self.positions[self.index]

    @property
    def start(self) -> int:
        """Where the phrase would begin."""
        return self.position - self.place

    def next(self) -> bool:
        self.index += 1
        return self.index < len(self.positions)

    def key(self) -> tuple[int, int, int]:
        return self.start, self.place, self.number


class SloppyPhrase:
    """SloppyPhraseMatcher of Lucene 9 for one document, with lists for its queue."""

    def __init__(
        self, terms: Sequence[object], places: Sequence[int], positions: Sequence[Sequence[int]], slop: int
    ) -> None:
        self.slop = slop
        self.cursors = [Cursor(i, places[i], positions[i]) for i in range(len(terms))]
        self.same = {c: [d for d in self.cursors if terms[d.number] == terms[c.number]] for c in self.cursors}
        self.end = 0

    def advance(self, cursor: Cursor) -> bool:
        if not cursor.next():
            return False
        self.end = max(self.end, cursor.start)
        return True

    def spread(self) -> bool:
        """Put the cursors of one term on positions of their own; False if there are too few."""
        for group in self.same.values():
            for steps, cursor in enumerate(sorted(group, key=lambda c: c.place)):
                if steps >= len(cursor.positions):
                    return False
                cursor.index = steps
        self.end = max(c.start for c in self.cursors)
        return True

    def settle(self, cursor: Cursor) -> bool:
        """Move cursors of one term apart that stand on one position; False if one of them has run out."""
        while True:
            others = [d for d in self.same[cursor] if d is not cursor and d.position == cursor.position]
            if not others:
                return True
            cursor = min(cursor, others[0], key=lambda c: (c.start, c.place))
            if not self.advance(cursor):
                return False

    def freq(self) -> float:
        """Return the sum of 1 / (1 + moves) over all narrowest stretches."""
        if any(not c.positions for c in self.cursors) or not self.spread():
            return 0.0
        freq = 0.0
        queue = list(self.cursors)
        while True:
            low = min(queue, key=Cursor.key)
            queue.remove(low)
            width = self.end - low.start
            following = min(queue, key=Cursor.key).start
            while True:
                if not self.advance(low) or not self.settle(low):
                    return freq + (1 / (1 + width) if width <= self.slop else 0)
                if low.start > following:
                    break
                width = min(width, self.end - low.start)
            if width <= self.slop:
                freq += 1 / (1 + width)
            queue.append(low)


def sloppy_freq(
    terms: Sequence[object], places: Sequence[int], positions: Sequence[Sequence[int]], slop: int
) -> float:
    return SloppyPhrase(terms, places, positions, slop).freq()
