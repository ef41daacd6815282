"""Record what the reference answers to the queries of test_recorded_queries.py.

    python -m tests.oracle.record_queries URL

Writes tests/engine/search/recorded_queries.json: for each query the scores by id, or the chain of its error.
Answers that are failures of the server itself, or that name Java classes, are left out.
"""

import json
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.oracle.generate_queries import MAPPING, SETTINGS, Queries, documents

FOLDER = Path(__file__).parents[1] / "engine" / "search"
INDEX = "queries"
RANDOM = 600


def main() -> None:
    url = sys.argv[1]

    def ask(method: str, path: str, body: Any = None) -> dict[str, Any]:
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        request = urllib.request.Request(url + path, data=data, method=method)
        request.add_header("content-type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                found: dict[str, Any] = json.load(answer)
        except urllib.error.HTTPError as error:
            found = json.loads(error.read())
        return found

    settings = {**SETTINGS, "number_of_shards": 1, "number_of_replicas": 0}
    ask("PUT", f"/{INDEX}", {"settings": settings, "mappings": MAPPING})
    lines = [json.dumps(line) for id_, source in documents() for line in ({"index": {"_id": id_}}, source)]
    ask("POST", f"/{INDEX}/_bulk?refresh=true", ("\n".join(lines) + "\n").encode())
    given = json.loads((FOLDER / "queries_by_hand.json").read_text())
    given += [Queries(seed).any() for seed in range(RANDOM)]
    cases = []
    for query in given:
        answer = ask("POST", f"/{INDEX}/_search", {"query": query, "size": 100, "_source": False})
        if "error" in answer:
            chain = errors(answer["error"])
            if answer["status"] < 500 and "class org" not in json.dumps(chain):
                cases.append({"query": query, "error": chain})
        else:
            scores = {hit["_id"]: hit["_score"] for hit in answer["hits"]["hits"]}
            cases.append({"query": query, "scores": scores})
    ask("DELETE", f"/{INDEX}")
    text = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)
    (FOLDER / "recorded_queries.json").write_text(f"[\n{text}\n]\n")


def errors(error: dict[str, Any]) -> list[list[str]]:
    """Return (type, reason) from the failure of the shard, or of the request, down to its last cause."""
    failed = error.get("failed_shards")
    found: dict[str, Any] | None = failed[0]["reason"] if failed else error
    chain = []
    while found:
        chain.append([found["type"], found["reason"]])
        found = found.get("caused_by")
    return chain


if __name__ == "__main__":
    main()
