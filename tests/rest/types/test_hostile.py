"""Documents and queries that mean harm to the richer types: none of them gets an answer above 499."""

from typing import Any

import pytest

from tests.conftest import Client

PROPERTIES = {
    "ir": {"type": "integer_range"},
    "fr": {"type": "float_range"},
    "dr": {"type": "date_range"},
    "ip": {"type": "ip_range"},
    "rf": {"type": "rank_feature"},
    "rfs": {"type": "rank_features"},
    "fo": {"type": "flat_object"},
    "p": {"type": "geo_point"},
    "j": {"type": "join", "relations": {"a": ["b", "a\0#"], "": "c", "b": "a"}},
}
DEEP = '{"a":' * 900 + "1" + "}" * 900
DOCUMENTS = [
    f'{{"fo":{DEEP}}}',
    '{"fo":{"x":' + "[" * 900 + "1" + "]" * 900 + "}}",
    '{"fo":{"":1}}',
    '{"fo":{"a":"' + "x" * 40_000 + '"}}',
    '{"fo":{"' + "k" * 40_000 + '":"v"}}',
    '{"fo":{"a\\u0000b":"\\ud800"}}',
    '{"rfs":{"":1}}',
    '{"rfs":{"a\\u0000b":1}}',
    '{"rfs":{"' + "f" * 40_000 + '":1}}',
    '{"rfs":{"a":"NaN"}}',
    '{"rf":"Infinity"}',
    '{"rf":[[1],[2]]}',
    '{"rf":[null]}',
    '{"rfs":[null]}',
    '{"ir":[[{"gte":1}]]}',
    '{"ir":{"gte":{}}}',
    '{"ir":{"gte":""}}',
    '{"fr":{"gt":"Infinity"}}',
    '{"fr":{"gte":1e400}}',
    '{"dr":{"gte":[1]}}',
    '{"dr":{"gte":99999999999999999999}}',
    '{"ip":"::/200"}',
    '{"ip":{"gt":"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"}}',
    '{"ip":"/"}',
    f'{{"j":{DEEP}}}',
    '{"j":{"name":' + "[" * 900 + '"a"' + "]" * 900 + "}}",
    '{"j":{"name":"b","parent":"' + "x" * 40_000 + '"}}',
    '{"j":{"name":"b","parent":1e400}}',
    '{"j":{"name":"\\ud800"}}',
    '{"j":["a",{"name":""}]}',
    '{"j":"a\\u0000#"}',
    '{"j#a":"x"}',
]
QUERIES: list[dict[str, Any]] = [
    {"rank_feature": {"field": "rfs.a\0b"}},
    {"rank_feature": {"field": "."}},
    {"rank_feature": {"field": "rf", "saturation": {"pivot": "NaN"}}},
    {"rank_feature": {"field": "rf", "boost": "x"}},
    {"term": {"fo..": "x"}},
    {"term": {"fo.a": "x" * 50_000}},
    {"regexp": {"fo.a": "("}},
    {"exists": {"field": "fo."}},
    {"range": {"fo": {"gte": 5, "lte": "x"}}},
    {"range": {"ir": {"gte": True}}},
    {"range": {"dr": {"gte": 99999999999999999999}}},
    {"range": {"ip": {"gt": "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"}}},
    {"range": {"ip": {"lt": "::"}}},
    {"range": {"ir": {"gte": 1, "relation": 5}}},
    {"query_string": {"query": "fo.a:[a TO b] AND ir:>5 AND rf:3 AND rfs.a:2"}},
    {"multi_match": {"query": "x y", "fields": ["*"], "type": "phrase"}},
    {"has_child": {"type": "a\0#", "query": {"match_all": {}}, "min_children": 2**31}},
    {"has_child": {"type": "b", "query": {"match_all": {}}, "max_children": 1e300}},
    {"has_child": {"type": "b", "query": {"match_all": {}}, "max_children": 2**70}},
    {"has_child": {"type": "b", "query": {"match_all": {}}, "min_children": "NaN"}},
    {"has_child": {"type": "c", "query": {"match_all": {}}, "boost": 1e300, "score_mode": "sum"}},
    {"has_parent": {"parent_type": "", "query": {"match_all": {}}, "score": True}},
    {"has_parent": {"parent_type": "b", "query": {"has_child": {"type": "a", "query": {"match_all": {}}}}}},
    {"parent_id": {"type": "c", "id": "x" * 50_000}},
    {"parent_id": {"type": "c", "id": "\ud800"}},
    {"has_child": {"type": "b", "query": {"match_all": {}}, "min_children": float("inf")}},
]
SORTS: list[Any] = [
    {"_geo_distance": {"p": [[]]}},
    {"_geo_distance": {"p": [[1]]}},
    {"_geo_distance": {"p": None}},
    {"_geo_distance": 5},
    {"_geo_distance": {"p": "x,y"}},
    "fo",
    "fo.a",
    "rfs",
    {"ir": {"mode": "avg"}},
]


@pytest.fixture
def index(client: Client) -> Client:
    assert client.put("/h", {"mappings": {"properties": PROPERTIES}}).status == 200
    return client


def test_documents_and_queries(index: Client) -> None:
    faults = []
    for number, source in enumerate(DOCUMENTS):
        answer = index.request("PUT", f"/h/_doc/{number}", source)
        if answer.status >= 500:
            faults.append((source[:80], answer.text[:200]))
    index.post("/h/_refresh")
    bodies: list[Any] = [{"query": query} for query in QUERIES]
    bodies += [{"query": query, "explain": True} for query in QUERIES]
    bodies += [{"sort": [sort]} for sort in SORTS]
    bodies += [{"fields": ["*"]}, {"docvalue_fields": ["ir", "fo.a"]}, {"stored_fields": ["*"]}]
    for body in bodies:
        answer = index.post("/h/_search", body)
        if answer.status >= 500:
            faults.append((str(body)[:80], answer.text[:200]))
    assert faults == []
    assert index.post("/h/_forcemerge?max_num_segments=1").status == 200
