"""The Greek stemmer, as Lucene 9.12 has it: words in lower case, without accents, with one form of sigma.

Source: G. Ntais, "Development of a stemmer for the Greek language" (2006).
"""

from lanner.engine.analysis.language.endings import by_length, endings, strip

_VOWELS = tuple("αεηιουω")
_VOWELS_NO_Y = tuple("αεηιοω")

_RULE_0 = (
    (9, endings("καθεστωτοσ καθεστωτων"), 4), (8, endings("γεγονοτοσ γεγονοτων"), 4), (8, ("καθεστωτα",), 3),
    (7, endings("τατογιου τατογιων"), 4), (7, ("γεγονοτα",), 3), (7, ("καθεστωσ",), 2),
    (6, endings("σκαγιου σκαγιων ολογιου ολογιων κρεατοσ κρεατων περατοσ περατων τερατοσ τερατων"), 4),
    (6, ("τατογια",), 3), (6, ("γεγονοσ",), 2), (5, endings("φαγιου φαγιων σογιου σογιων"), 4),
    (5, endings("σκαγια ολογια κρεατα περατα τερατα"), 3), (4, endings("φαγια σογια φωτοσ φωτων"), 3),
    (4, endings("κρεασ περασ τερασ"), 2), (3, ("φωτα",), 2), (2, ("φωσ",), 1),
)  # fmt: skip

_MEN = endings("οκ μαμ μαν μπαμπ πατερ γιαγι νταντ κυρ θει πεθερ")
_RULE_2 = endings("οπ ιπ εμπ υπ γηπ δαπ κρασπ μιλ")
_RULE_3 = endings("αρκ καλιακ πεταλ λιχ πλεξ σκ σ φλ φρ βελ λουλ χν σπ τραγ φε")
_RULE_4 = frozenset(endings("θ δ ελ γαλ ν π ιδ παρ"))
_RULE_6 = frozenset(
    endings(
        "αλ αδ ενδ αμαν αμμοχαλ ηθ ανηθ αντιδ φυσ βρωμ γερ εξωδ καλπ καλλιν καταδ μουλ μπαν μπαγιατ μπολ "
        "μποσ νιτ ξικ συνομηλ πετσ πιτσ πικαντ πλιατσ ποστελν πρωτοδ σερτ συναδ τσαμ υποδ φιλον φυλοδ χασ"
    )
)
_RULE_7 = frozenset(endings("αναπ αποθ αποκ αποστ βουβ ξεθ ουλ πεθ πικρ ποτ σιχ χ"))
_RULE_8 = frozenset(
    endings(
        "βετερ βουλκ βραχμ γ δραδουμ θ καλπουζ καστελ κορμορ λαοπλ μωαμεθ μ μουσουλμ ν ουλ π πελεκ πλ "
        "πολισ πορτολ σαρακατσ σουλτ τσαρλατ ορφ τσιγγ τσοπ φωτοστεφ χ ψυχοπλ αγ γαλ γερ δεκ διπλ αμερικαν "
        "ουρ πιθ πουριτ σ ζωντ ικ καστ κοπ λιχ λουθηρ μαιντ μελ σιγ σπ στεγ τραγ τσαγ φ ερ αδαπ αθιγγ αμηχ "
        "ανικ ανοργ απηγ απιθ ατσιγγ βασ βασκ βαθυγαλ βιομηχ βραχυκ διατ διαφ ενοργ θυσ καπνοβιομηχ "
        "καταγαλ κλιβ κοιλαρφ λιβ μεγλοβιομηχ μικροβιομηχ νταβ ξηροκλιβ ολιγοδαμ ολογαλ πενταρφ περηφ "
        "περιτρ πλατ πολυδαπ πολυμηχ στεφ ταβ τετ υπερηφ υποκοπ χαμηλοδαπ ψηλοταβ"
    )
)
_RULE_9 = frozenset(
    endings(
        "αβαρ βεν εναρ αβρ αδ αθ αν απλ βαρον ντρ σκ κοπ μπορ νιφ παγ παρακαλ σερπ σκελ συρφ τοκ υ δ εμ "
        "θαρρ θ"
    )
)
_RULE_9_ENDS = endings(
    "οδ αιρ φορ ταθ διαθ σχ ενδ ευρ τιθ υπερθ ραθ ενθ ροθ σθ πυρ αιν συνδ συν συνθ χωρ πον βρ καθ ευθ εκθ "
    "νετ ρον αρκ βαρ βολ ωφελ"
)
_RULE_12_IEST = frozenset(endings("π απ συμπ ασυμπ ακαταπ αμεταμφ"))
_RULE_12_EST = frozenset(endings("αλ αρ εκτελ ζ μ ξ παρακαλ προ νισ"))
_RULE_13 = frozenset(endings("διαθ θ παρακαταθ προσθ συνθ"))
_RULE_13_ENDS = endings("σκωλ σκουλ ναρθ σφ οθ πιθ")
_RULE_14 = frozenset(
    endings(
        "φαρμακ χαδ αγκ αναρρ βρομ εκλιπ λαμπιδ λεχ μ πατ ρ λ μεδ μεσαζ υποτειν αμ αιθ ανηκ δεσποζ "
        "ενδιαφερ δε δευτερευ καθαρευ πλε τσα"
    )
)
_RULE_14_ENDS = endings("ποδαρ βλεπ πανταχ φρυδ μαντιλ μαλλ κυματ λαχ ληγ φαγ ομ πρωτ")
_RULE_15 = frozenset(
    endings(
        "αβαστ πολυφ αδηφ παμφ ρ ασπ αφ αμαλ αμαλλι ανυστ απερ ασπαρ αχαρ δερβεν δροσοπ ξεφ νεοπ νομοτ "
        "ολοπ ομοτ προστ προσωποπ συμπ συντ τ υποτ χαρ αειπ αιμοστ ανυπ αποτ αρτιπ διατ εν επιτ κροκαλοπ "
        "σιδηροπ λ ναυ ουλαμ ουρ π τρ μ"
    )
)
_RULE_15_ENDS = endings("οφ πελ χορτ λλ σφ ρπ φρ πρ λοχ σμην")
_RULE_16 = frozenset(endings("ν χερσον δωδεκαν ερημον μεγαλον επταν"))
_RULE_17 = frozenset(endings("ασβ σβ αχρ χρ απλ αειμν δυσχρ ευχρ κοινοχρ παλιμψ"))
_RULE_18 = frozenset(endings("ν ρ σπι στραβομουτσ κακομουτσ εξων"))
_RULE_19 = frozenset(endings("παρασουσ φ χ ωριοπλ αζ αλλοσουσ ασουσ"))

_RULE_21 = by_length(
    "ιοντουσαν ιομασταν ιοσασταν ιουμαστε οντουσαν ιεμαστε ιεσαστε ιομουνα ιοσαστε ιοσουνα ιουνται ιουνταν "
    "ηθηκατε ομασταν οσασταν ουμαστε ιομουν ιονταν ιοσουν ηθειτε ηθηκαν ομουνα οσαστε οσουνα ουνται ουνταν "
    "ουσατε αγατε ιεμαι ιεται ιεσαι ιοταν ιουμα ηθεισ ηθουν ηκατε ησατε ησουν ομουν ονται ονταν οσουν "
    "ουμαι ουσαν αγαν αμαι ασαι αται ειτε εσαι εται ηδεσ ηδων ηθει ηκαν ησαν ησει ησεσ ομαι οταν αει εισ "
    "ηθω ησω ουν ουσ αν ασ αω ει εσ ησ οι οσ ου υσ ων",
    0,
)


def _cut(word: str, rules: tuple[tuple[int, tuple[str, ...]], ...]) -> str | None:
    """Return the word without the first ending that fits, None if none does; (longer than, endings)."""
    for longer_than, suffixes in rules:
        if len(word) > longer_than:
            for suffix in suffixes:
                if word.endswith(suffix):
                    return word[: -len(suffix)]
    return None


def _rules_1_to_6(word: str) -> str:
    stem = _cut(word, ((4, ("αδεσ", "αδων")),))
    if stem is not None:
        word = stem if stem.endswith(_MEN) else stem + "αδ"
    stem = _cut(word, ((4, ("εδεσ", "εδων")),))
    if stem is not None:
        word = stem + "εδ" if stem.endswith(_RULE_2) else stem
    stem = _cut(word, ((5, ("ουδεσ", "ουδων")),))
    if stem is not None:
        word = stem + "ουδ" if stem.endswith(_RULE_3) else stem
    stem = _cut(word, ((3, ("εωσ", "εων")),))
    if stem is not None:
        word = stem + "ε" if stem in _RULE_4 else stem
    stem = _cut(word, ((2, ("ια",)), (3, ("ιου", "ιων"))))
    if stem is not None:
        word = stem + "ι" if stem.endswith(_VOWELS) else stem
    stem = _cut(word, ((3, ("ικα", "ικο")), (4, ("ικου", "ικων"))))
    if stem is not None:
        word = stem + "ικ" if stem.endswith(_VOWELS) or stem in _RULE_6 else stem
    return word


def _rule_7(word: str) -> str:
    if word == "αγαμε":
        return "αγαμ"
    stem = _cut(word, ((7, ("ηθηκαμε",)), (6, ("ουσαμε",)), (5, ("αγαμε", "ησαμε", "ηκαμε"))))
    word = word if stem is None else stem
    stem = _cut(word, ((3, ("αμε",)),))
    if stem is not None:
        word = stem + "αμ" if stem in _RULE_7 else stem
    return word


def _rule_8(word: str) -> str:
    stem = _cut(
        word,
        (
            (8, ("ιουντανε",)),
            (7, ("ιοντανε",)),
            (0, ("ουντανε", "ηθηκανε")),
            (6, ("ιοτανε",)),
            (0, ("οντανε", "ουσανε")),
            (5, ("αγανε",)),
            (0, ("ησανε", "οτανε", "ηκανε")),
        ),
    )
    if stem is not None:
        word = stem + "αγαν" if stem in ("τρ", "τσ") else stem
    stem = _cut(word, ((3, ("ανε",)),))
    if stem is not None:
        word = stem + "αν" if stem.endswith(_VOWELS_NO_Y) or stem in _RULE_8 else stem
    return word


def _rules_9_to_12(word: str) -> str:
    stem = _cut(word, ((5, ("ησετε",)),))
    word = word if stem is None else stem
    stem = _cut(word, ((3, ("ετε",)),))
    if stem is not None:
        keeps = stem in _RULE_9 or stem.endswith(_VOWELS_NO_Y) or stem.endswith(_RULE_9_ENDS)
        word = stem + "ετ" if keeps else stem
    if len(word) > 5 and word.endswith(("οντασ", "ωντασ")):
        word = word[:-5]
        if word == "αρχ":
            word += "οντ"
        if word.endswith("κρε"):
            word += "ωντ"
    if len(word) > 6 and word.endswith("ομαστε"):
        word = word[:-6]
        if word == "ον":
            word += "ομαστ"
    stem = _cut(word, ((5, ("ιεστε",)),))
    if stem is not None:
        word = stem + "ιεστ" if stem in _RULE_12_IEST else stem
    stem = _cut(word, ((4, ("εστε",)),))
    if stem is not None:
        word = stem + "εστ" if stem in _RULE_12_EST else stem
    return word


def _rules_13_to_15(word: str) -> str:
    stem = _cut(word, ((6, ("ηθηκεσ",)), (5, ("ηθηκα", "ηθηκε"))))
    word = word if stem is None else stem
    stem = _cut(word, ((4, ("ηκεσ",)), (3, ("ηκα", "ηκε"))))
    if stem is not None:
        word = stem + "ηκ" if stem in _RULE_13 or stem.endswith(_RULE_13_ENDS) else stem
    stem = _cut(word, ((5, ("ουσεσ",)), (4, ("ουσα", "ουσε"))))
    if stem is not None:
        keeps = stem in _RULE_14 or stem.endswith(_VOWELS) or stem.endswith(_RULE_14_ENDS)
        word = stem + "ουσ" if keeps else stem
    stem = _cut(word, ((4, ("αγεσ",)), (3, ("αγα", "αγε"))))
    if stem is not None:
        keeps = stem in _RULE_15 or stem.endswith(_RULE_15_ENDS)
        loses = stem in ("ψοφ", "ναυλοχ") or stem.endswith("κολλ")
        word = stem + "αγ" if keeps and not loses else stem
    return word


def _rules_16_to_20(word: str) -> str:
    stem = _cut(word, ((4, ("ησου",)), (3, ("ησε", "ησα"))))
    if stem is not None:
        word = stem + "ησ" if stem in _RULE_16 else stem
    stem = _cut(word, ((4, ("ηστε",)),))
    if stem is not None:
        word = stem + "ηστ" if stem in _RULE_17 else stem
    stem = _cut(word, ((6, ("ησουνε", "ηθουνε")), (4, ("ουνε",))))
    if stem is not None:
        word = stem + "ουν" if stem in _RULE_18 else stem
    stem = _cut(word, ((6, ("ησουμε", "ηθουμε")), (4, ("ουμε",))))
    if stem is not None:
        word = stem + "ουμ" if stem in _RULE_19 else stem
    return strip(word, ((5, ("ματων", "ματοσ"), 3), (4, ("ματα",), 2)))


def greek(word: str) -> str:
    """Return the stem."""
    size = len(word)
    if size < 4:
        return word
    word = _rules_1_to_6(strip(word, _RULE_0))
    word = _rules_9_to_12(_rule_8(_rule_7(word)))
    word = _rules_16_to_20(_rules_13_to_15(word))
    if len(word) == size:
        shorter = strip(word, _RULE_21)
        if shorter == word and len(word) > 1 and word.endswith(_VOWELS):
            shorter = word[:-1]
        word = shorter
    return strip(word, ((0, ("εστερ", "εστατ"), 5), (0, ("οτερ", "οτατ", "υτερ", "υτατ", "ωτερ", "ωτατ"), 4)))
