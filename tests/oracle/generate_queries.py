"""Documents and queries for the comparison with the reference, by seed."""

import random
from typing import Any

MAPPING = {
    "properties": {
        "t": {"type": "text"},
        "e": {"type": "text", "analyzer": "english"},
        "k": {"type": "keyword"},
        "kl": {"type": "keyword", "normalizer": "low"},
        "n": {"type": "integer"},
        "d": {"type": "date"},
        "x": {"type": "double"},
    }
}
SETTINGS = {"analysis": {"normalizer": {"low": {"type": "custom", "filter": ["lowercase"]}}}}
WORDS = [
    "the",
    "quick",
    "quack",
    "queen",
    "quiet",
    "quark",
    "fox",
    "foxes",
    "box",
    "brown",
    "brawn",
    "lazy",
    "daisy",
    "dog",
    "dogs",
    "day",
    "over",
    "jumps",
    "running",
    "sleep",
    "all",
    "house",
    "mouse",
    "ärger",
    "straße",
]
KEYS = ["Apple", "apple", "apply", "banana", "bandana", "cherry-pie", "date 01", "Élan"]


def documents(seed: int = 3, n: int = 40) -> list[tuple[str, dict[str, Any]]]:
    """(id, source); a few have no number or date."""
    rnd = random.Random(seed)
    found = []
    for i in range(n):
        text = " ".join(
            rnd.choices(WORDS, [1 / (j + 1) ** 0.5 for j in range(len(WORDS))], k=rnd.randint(1, 14))
        )
        source: dict[str, Any] = {"t": text.capitalize(), "e": text, "k": rnd.choice(KEYS)}
        source["kl"] = source["k"]
        if i % 7:
            source["n"] = rnd.randint(0, 20)
            source["x"] = round(rnd.uniform(0.1, 50), 3)
        if i % 5:
            source["d"] = f"20{rnd.randint(18, 22)}-{rnd.randint(1, 12):02}-{rnd.randint(1, 28):02}"
        found.append((str(i), source))
    return found


class Queries:
    """Random queries of every kind that has no test of its own by hand."""

    def __init__(self, seed: int) -> None:
        self.rnd = random.Random(seed)

    def word(self) -> str:
        return self.rnd.choice(WORDS)

    def misspelled(self) -> str:
        word = list(self.word())
        for _ in range(self.rnd.randint(0, 2)):
            i = self.rnd.randrange(len(word) + 1)
            kind = self.rnd.randrange(4)
            if kind == 0:
                word.insert(i, self.rnd.choice("aeiouqx"))
            elif kind == 1 and len(word) > 1:
                del word[i % len(word)]
            elif kind == 2 and i + 1 < len(word):
                word[i], word[i + 1] = word[i + 1], word[i]
            else:
                word[i % len(word)] = self.rnd.choice("aeiouqx")
        return "".join(word)

    def pattern(self) -> str:
        word = self.word()
        i = self.rnd.randrange(len(word))
        return self.rnd.choice(
            [word[:i] + "*", word[:i] + "?" + word[i + 1 :], "*" + word[i:], word[:1] + "*" + word[-1:]]
        )

    def regexp(self) -> str:
        word = self.word()
        i = self.rnd.randrange(len(word))
        return self.rnd.choice(
            [
                word[:i] + ".*",
                word[:i] + "." + word[i + 1 :],
                f"({word}|{self.word()})",
                f"[{word}]{{3,5}}",
                f"~{word}",
            ]
        )

    def field(self) -> str:
        return self.rnd.choice(["t", "t", "e"])

    def multi_term(self) -> dict[str, Any]:
        field = self.rnd.choice(["t", "e", "k", "kl"])
        rewrite = self.rnd.choice(
            [
                None,
                None,
                "constant_score",
                "scoring_boolean",
                "top_terms_3",
                "top_terms_boost_2",
                "top_terms_blended_freqs_4",
            ]
        )
        more: dict[str, Any] = {} if rewrite is None else {"rewrite": rewrite}
        kind = self.rnd.choice(["wildcard", "regexp", "fuzzy", "prefix"])
        if kind == "fuzzy":
            more |= {"prefix_length": self.rnd.randint(0, 2), "transpositions": self.rnd.random() < 0.7}
            more |= {
                "fuzziness": self.rnd.choice(["AUTO", 0, 1, 2, "AUTO:2,5"]),
                "max_expansions": self.rnd.choice([2, 50]),
            }
            return {kind: {field: {"value": self.misspelled(), **more}}}
        more["case_insensitive"] = self.rnd.random() < 0.3
        value = self.word()[:2]
        if kind != "prefix":
            value = self.pattern() if kind == "wildcard" else self.regexp()
        return {kind: {field: {"value": self.rnd.choice([value, value.upper()]), **more}}}

    def match(self) -> dict[str, Any]:
        # of several misspelled words Lucene joins equal expansions, in an order that its hash maps decide
        spelled = self.rnd.random() < 0.5
        text = " ".join(self.word() for _ in range(self.rnd.randint(1, 4))) if spelled else self.misspelled()
        kind = self.rnd.choice(["match", "match_bool_prefix", "match_phrase_prefix", "multi_match"])
        if kind == "match_phrase_prefix":
            words = " ".join(self.word() for _ in range(self.rnd.randint(1, 3)))
            body = {"query": words[: self.rnd.randint(1, len(words))], "slop": self.rnd.choice([0, 0, 2])}
            return {kind: {self.field(): {**body, "max_expansions": self.rnd.choice([1, 3, 50])}}}
        more: dict[str, Any] = {} if spelled else {"fuzziness": self.rnd.choice(["AUTO", 1, 2])}
        more["operator"] = self.rnd.choice(["or", "or", "and"])
        if self.rnd.random() < 0.3:
            more["minimum_should_match"] = self.rnd.choice(["2", "-1", "50%", "2<75%"])
        if kind != "multi_match":
            return {kind: {self.field(): {"query": text, **more}}}
        chosen = self.rnd.choice(["best_fields", "most_fields", "bool_prefix", "phrase", "phrase_prefix"])
        if chosen.startswith("phrase"):
            more.pop("fuzziness", None)
        fields = self.rnd.choice([["t", "e"], ["t^2", "e"], ["t", "k"]])
        return {kind: {"query": text, "fields": fields, "type": chosen, "tie_breaker": 0.3, **more}}

    def query_text(self) -> str:
        def leaf() -> str:
            made = self.rnd.choice(
                [
                    self.word(),
                    self.word(),
                    self.misspelled() + "~",
                    self.pattern(),
                    f'"{self.word()} {self.word()}"~3',
                ]
            )
            made = self.rnd.choice(["", "", "t:", "e:", "k:"]) + made
            return made + self.rnd.choice(["", "", "", "^2"])

        text = leaf()
        for _ in range(self.rnd.randint(0, 4)):
            joint = self.rnd.choice([" ", " ", " AND ", " OR ", " +", " -", " NOT ", " && "])
            text += joint + (f"({leaf()} {leaf()})" if self.rnd.random() < 0.2 else leaf())
        return text

    def query_string(self) -> dict[str, Any]:
        kind = self.rnd.choice(["query_string", "simple_query_string"])
        more: dict[str, Any] = {"fields": self.rnd.choice([["t"], ["t", "e"], ["t^3", "e"]])}
        more["default_operator"] = self.rnd.choice(["or", "and"])
        if self.rnd.random() < 0.2:
            more["minimum_should_match"] = "2"
        if self.rnd.random() < 0.2:
            more["analyze_wildcard"] = True
        return {kind: {"query": self.query_text(), **more}}

    def span(self, depth: int = 2) -> dict[str, Any]:
        kind = self.rnd.randrange(9 if depth else 2)
        if kind <= 1:
            return {"span_term": {"t": self.word()}}
        if kind == 2:
            return {"span_multi": {"match": {"prefix": {"t": self.word()[:1]}}}}
        if kind <= 4:
            clauses = [self.span(depth - 1) for _ in range(self.rnd.randint(1, 3))]
            return {
                "span_near": {
                    "clauses": clauses,
                    "slop": self.rnd.randint(0, 6),
                    "in_order": self.rnd.random() < 0.5,
                }
            }
        if kind == 5:
            return {"span_or": {"clauses": [self.span(depth - 1) for _ in range(self.rnd.randint(1, 3))]}}
        if kind == 6:
            pair = {"include": self.span(depth - 1), "exclude": self.span(depth - 1)}
            return {"span_not": {**pair, "pre": self.rnd.randint(0, 2), "post": self.rnd.randint(0, 2)}}
        if kind == 7:
            return {"span_first": {"match": self.span(depth - 1), "end": self.rnd.randint(1, 6)}}
        return {
            self.rnd.choice(["span_containing", "span_within"]): {
                "big": self.span(depth - 1),
                "little": self.span(depth - 1),
            }
        }

    def rule(self, depth: int = 2) -> dict[str, Any]:
        kind = self.rnd.randrange(6 if depth else 3)
        mode = self.rnd.choice(["ordered", "unordered", "unordered_no_overlap"])
        gaps = self.rnd.choice([-1, -1, 0, 1, 3])
        if kind <= 1:
            text = " ".join(self.word() for _ in range(self.rnd.randint(1, 3)))
            made: dict[str, Any] = {"match": {"query": text, "mode": mode, "max_gaps": gaps}}
        elif kind == 2:
            made = self.rnd.choice(
                [
                    {"prefix": {"prefix": self.word()[:2]}},
                    {"wildcard": {"pattern": self.pattern()}},
                    {"fuzzy": {"term": self.misspelled()}},
                ]
            )
        elif kind <= 4:
            rules = [self.rule(depth - 1) for _ in range(self.rnd.randint(1, 3))]
            made = {"all_of": {"intervals": rules, "mode": mode, "max_gaps": gaps}}
        else:
            made = {"any_of": {"intervals": [self.rule(depth - 1) for _ in range(self.rnd.randint(1, 3))]}}
        name = next(iter(made))
        if depth and name in ("match", "all_of", "any_of") and self.rnd.random() < 0.4:
            relation = self.rnd.choice(
                [
                    "containing",
                    "contained_by",
                    "not_containing",
                    "not_contained_by",
                    "overlapping",
                    "not_overlapping",
                    "before",
                    "after",
                ]
            )
            made[name]["filter"] = {relation: self.rule(0)}
        return made

    def function_score(self) -> dict[str, Any]:
        def function() -> dict[str, Any]:
            made: dict[str, Any] = self.rnd.choice(
                [
                    {"weight": self.rnd.choice([0.5, 2, 3])},
                    {
                        "field_value_factor": {
                            "field": self.rnd.choice("nx"),
                            "missing": 1,
                            "modifier": self.rnd.choice(["none", "log1p", "ln2p", "sqrt", "square"]),
                        }
                    },
                    {
                        self.rnd.choice(["gauss", "exp", "linear"]): {
                            "n": {"origin": 8, "scale": 4, "offset": 1, "decay": 0.3}
                        }
                    },
                    {
                        self.rnd.choice(["gauss", "exp", "linear"]): {
                            "d": {"origin": "2020-06-01", "scale": "300d"}
                        }
                    },
                    {"random_score": {"seed": self.rnd.randrange(100), "field": self.rnd.choice(["n", "k"])}},
                ]
            )
            if self.rnd.random() < 0.5:
                made = {**made, "filter": {"match": {"t": self.word()}}}
            return made

        body: dict[str, Any] = {"functions": [function() for _ in range(self.rnd.randint(1, 3))]}
        body["query"] = {"match": {"t": f"{self.word()} {self.word()}"}}
        body["score_mode"] = self.rnd.choice(["multiply", "sum", "avg", "first", "max", "min"])
        body["boost_mode"] = self.rnd.choice(["multiply", "replace", "sum", "avg", "max", "min"])
        if self.rnd.random() < 0.3:
            body |= {"max_boost": 3, "min_score": 0.9, "boost": 1.5}
        return {"function_score": body}

    def other(self) -> dict[str, Any]:
        return self.rnd.choice(
            [
                {
                    "boosting": {
                        "positive": self.match(),
                        "negative": self.multi_term(),
                        "negative_boost": 0.3,
                    }
                },
                {
                    "terms_set": {
                        "t": {"terms": [self.word() for _ in range(4)], "minimum_should_match_field": "n"}
                    }
                },
                {"distance_feature": {"field": "d", "origin": "2020-03-01", "pivot": "90d"}},
                {
                    "more_like_this": {
                        "fields": ["t", "e"],
                        "like": " ".join(self.word() for _ in range(9)),
                        "min_term_freq": 1,
                        "min_doc_freq": 2,
                        "max_query_terms": self.rnd.randint(2, 9),
                        "boost_terms": self.rnd.choice([0, 2]),
                    }
                },
            ]
        )

    def any(self) -> dict[str, Any]:
        """A query of any kind."""
        kind = self.rnd.randrange(9)
        if kind == 8:
            inner = Queries(self.rnd.randrange(2**32))
            return {
                "bool": {"must": [inner.match()], "should": [inner.span()], "filter": [inner.multi_term()]}
            }
        if kind == 3:
            return {"intervals": {"t": self.rule()}}
        makers = [
            self.multi_term,
            self.match,
            self.span,
            self.match,
            self.query_string,
            self.function_score,
            self.other,
            self.query_string,
        ]
        return makers[kind]()
