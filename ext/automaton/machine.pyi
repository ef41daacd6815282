from lanner.ext.automaton.automaton import Automaton

MOST_EDITS: int

class Machine:
    def value_of(self, text: str) -> int: ...

class AutomatonMachine(Machine):
    def __init__(self, automaton: Automaton) -> None: ...

class SpellingMachine(Machine):
    def __init__(self, word: str, edits: int, *, prefix: int = 0, swaps: bool = True) -> None: ...
