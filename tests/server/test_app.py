"""What lies below the handlers; texts and statuses are those of the reference."""

import gzip
import json

import pytest

from lanner.server.app import Application
from tests.conftest import Client, Response


def reason(answer: Response) -> str:
    text: str = answer.error()["reason"]
    return text


def test_root_is_laid_out_for_people(client: Client) -> None:
    answer = client.get("/")
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json; charset=UTF-8"
    assert answer.text.startswith('{\n  "name" : "node-0",\n  "cluster_name" : "cluster",\n')
    assert answer.text.endswith('"tagline" : "The OpenSearch Project: https://opensearch.org/"\n}\n')
    assert answer.json()["version"]["number"] == "2.19.1"
    assert int(answer.headers["content-length"]) == len(answer.body)


def test_pretty_can_be_switched_off(client: Client) -> None:
    answer = client.get("/?pretty=false&filter_path=tagline")
    assert answer.text == '{"tagline":"The OpenSearch Project: https://opensearch.org/"}'


def test_head_has_the_length_and_no_body(client: Client) -> None:
    answer = client.head("/")
    assert (answer.status, answer.body) == (200, b"")
    assert int(answer.headers["content-length"]) > 400


def test_head_without_a_route_is_405(client: Client) -> None:
    answer = client.head("/i/_echo")
    assert (answer.status, answer.body, answer.headers["allow"]) == (405, b"", "GET,POST")


def test_wrong_method(client: Client) -> None:
    answer = client.put("/i/_echo?a=b")
    assert answer.status == 405
    assert answer.headers["allow"] == "GET,POST"
    assert answer.json() == {
        "error": "Incorrect HTTP method for uri [/i/_echo?a=b] and method [PUT], allowed: [GET, POST]",
        "status": 405,
    }


@pytest.mark.parametrize("path", ["/x/y/z", "/i//_echo", "/i/_echo/more"])
def test_unknown_path(client: Client, path: str) -> None:
    answer = client.get(f"{path}?a=b")
    assert answer.status == 400
    assert answer.json() == {"error": f"no handler found for uri [{path}?a=b] and method [GET]"}


def test_two_slashes_begin_a_host(client: Client) -> None:
    assert client.get("//idx").json() == {"error": "no handler found for uri [] and method [GET]"}


def test_bad_escape_in_the_path(client: Client) -> None:
    answer = client.get("/i/%zz/x")
    assert (answer.status, answer.json()) == (400, {"error": "invalid uri has been requested"})


def test_slash_at_the_end_does_not_count(client: Client) -> None:
    assert client.get("/i/_echo/").status == 200


@pytest.mark.parametrize(
    ("path", "id_"),
    [
        ("/i/_doc/a%2Fb", "a/b"),
        ("/i/_doc/a+b", "a+b"),
        ("/i/_doc/%C3%A4%20x", "ä x"),
        ("/i/_doc/%ff", "\ufffd"),
    ],
)
def test_segments_are_split_before_they_are_decoded(client: Client, path: str, id_: str) -> None:
    assert client.get(path).json()["names"] == {"index": "i", "id": id_}


def test_words_win_over_names(client: Client) -> None:
    assert client.get("/_echo/fixed").json()["names"] == {}
    assert client.get("/_echo/other").json()["names"] == {"word": "other"}
    assert client.get("/_echo/_echo").json()["names"] == {"word": "_echo"}


def test_options(client: Client) -> None:
    answer = client.request("OPTIONS", "/i/_echo")
    assert (answer.status, answer.body, answer.headers["allow"]) == (200, b"", "GET,POST")
    assert answer.headers["content-type"] == "text/plain; charset=UTF-8"
    answer = client.request("OPTIONS", "/x/y/z")
    assert (answer.status, answer.body, "allow" in answer.headers) == (200, b"", False)


def test_body_with_get(client: Client) -> None:
    assert client.get("/i/_echo", {"a": [1, 2]}).json()["body"] == {"a": [1, 2]}


def test_body_where_none_is_taken(client: Client) -> None:
    answer = client.get("/_crash", {"a": 1})
    assert answer.status == 400
    assert reason(answer) == "request [GET /_crash] does not support having a body"


def test_handlers_run_where_their_route_says(client: Client) -> None:
    assert client.get("/i/_echo").json()["thread"] == "MainThread"
    assert client.post("/i/_echo").json()["thread"] == "management"


def test_query_string(client: Client) -> None:
    answer = client.get("/i/_echo?size=1&&from=a+b%26;sort=%C3%A4&size=3&routing")
    assert answer.json()["params"] == {"size": "3", "from": "a b&", "sort": "ä", "routing": ""}


def test_bad_escape_in_the_query_string(client: Client) -> None:
    error = client.get("/i/_echo?sort=%zz").error()
    text = "invalid escape sequence `%zz' at index 0 of: %zz"
    assert error["type"] == "bad_parameter_exception"
    assert error["reason"] == f"java.lang.IllegalArgumentException: {text}"
    assert error["caused_by"] == {"type": "illegal_argument_exception", "reason": text}


def test_unknown_parameters(client: Client) -> None:
    answer = client.get("/i/_echo?siz=1")
    text = "request [/i/_echo] contains unrecognized parameter: [siz] -> did you mean [size]?"
    assert answer.status == 400
    assert answer.json() == {
        "error": {
            "root_cause": [{"type": "illegal_argument_exception", "reason": text}],
            "type": "illegal_argument_exception",
            "reason": text,
        },
        "status": 400,
    }
    assert reason(client.get("/i/_echo?prettyy&nosuch=1")) == (
        "request [/i/_echo] contains unrecognized parameters: [nosuch], [prettyy] -> did you mean [pretty]?"
    )


@pytest.mark.parametrize("name", ["pretty", "human", "error_trace"])
def test_switches_are_true_or_false(client: Client, name: str) -> None:
    answer = client.get(f"/i/_echo?{name}=x")
    assert answer.status == 400
    assert reason(answer) == "Failed to parse value [x] as only [true] or [false] are allowed."


def test_error_body(client: Client) -> None:
    answer = client.get("/x/_fail")
    inner = {
        "type": "index_not_found_exception",
        "reason": "no such index [x]",
        "index": "x",
        "resource.id": "x",
        "resource.type": "index_or_alias",
        "index_uuid": "_na_",
    }
    assert answer.status == 404
    assert answer.text == json.dumps(
        {"error": {"root_cause": [inner], **inner}, "status": 404}, separators=(",", ":")
    )


def test_error_trace_is_on_every_level(client: Client) -> None:
    error = client.get("/_wrapped?error_trace").error()
    assert error["root_cause"][0]["reason"] == "outer"
    for level in (error, error["root_cause"][0], error["caused_by"]):
        assert level["stack_trace"].startswith(f"[{level['reason']}]; ")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_is_a_500_with_a_line_in_the_log(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    answer = client.get("/_crash")
    assert answer.status == 500
    assert answer.error()["reason"] == "ZeroDivisionError: a bug"
    assert "unexpected fault" in caplog.text


def test_missing_content_type(client: Client) -> None:
    answer = client.request("POST", "/i/_echo", b"{}", {"content-type": ""})
    assert (answer.status, answer.json()) == (
        406,
        {"error": "Content-Type header [] is not supported", "status": 406},
    )


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "application/cbor", "application/smile"])
def test_unknown_content_type(client: Client, kind: str) -> None:
    answer = client.request("POST", "/i/_echo", b"{}", {"content-type": kind})
    assert (answer.status, answer.json()["error"]) == (406, f"Content-Type header [{kind}] is not supported")


def test_content_type_that_is_none(client: Client) -> None:
    answer = client.request("POST", "/i/_echo", b"{}", {"content-type": "bogus"})
    text = "invalid Content-Type header [bogus]"
    assert answer.status == 400
    assert answer.error()["type"] == "content_type_header_exception"
    assert answer.error()["caused_by"] == {"type": "illegal_argument_exception", "reason": text}


@pytest.mark.parametrize(
    "kind",
    [
        "application/json; charset=utf-8",
        "APPLICATION/JSON",
        "application/vnd.opensearch+json;compatible-with=7",
    ],
)
def test_content_types_of_json(client: Client, kind: str) -> None:
    assert client.request("POST", "/i/_echo", b'{"a":1}', {"content-type": kind}).json()["body"] == {"a": 1}


def test_yaml_in_and_out(client: Client) -> None:
    answer = client.request("POST", "/i/_echo", b"---\na: [1, x]\n", {"content-type": "application/yaml"})
    assert answer.headers["content-type"] == "application/yaml"
    assert answer.text.startswith('---\nnames:\n  index: "i"\nparams: {}\nbody:\n  a:\n  - 1\n  - "x"\n')


@pytest.mark.parametrize("accept", ["application/yaml", "text/yaml"])
def test_accept_chooses_the_format(client: Client, accept: str) -> None:
    answer = client.get("/?filter_path=tagline", accept=accept)
    assert answer.text == '---\ntagline: "The OpenSearch Project: https://opensearch.org/"\n'


@pytest.mark.parametrize("accept", ["bogus", "text/html", "*/*", "application/x-yaml"])
def test_other_accept_headers_mean_json(client: Client, accept: str) -> None:
    assert client.get("/", accept=accept).headers["content-type"] == "application/json; charset=UTF-8"


def test_binary_formats_are_refused(client: Client) -> None:
    assert client.get("/?format=cbor").status == 406


def test_broken_json(client: Client) -> None:
    answer = client.request("POST", "/i/_echo", b'{"query":', {"content-type": "application/json"})
    assert answer.status == 400
    assert answer.error()["type"] == "json_e_o_f_exception"
    assert reason(answer) == (
        "Unexpected end-of-input within/between Object entries\n at [Source: REDACTED "
        "(`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: 1, column: 10]"
    )


def test_duplicate_keys(client: Client) -> None:
    answer = client.post("/i/_echo", b'{"a":1,"a":2}')
    assert answer.error()["type"] == "json_parse_exception"
    assert reason(answer).startswith("Duplicate field 'a'\n")


def test_deep_json_is_no_crash(client: Client) -> None:
    answer = client.post("/i/_echo", b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}")
    assert answer.status == 400
    assert "nesting depth" in reason(answer)


def test_body_in_the_url(client: Client) -> None:
    good = "/i/_echo?source=%7B%22a%22:1%7D&source_content_type=application/json"
    assert client.get(good).json()["body"] == {"a": 1}
    answer = client.get("/i/_echo?source=%7B%7D")
    assert (answer.status, reason(answer)) == (400, "source and source_content_type parameters are required")
    answer = client.get("/i/_echo?source=%7B%7D&source_content_type=text/plain")
    assert (answer.status, reason(answer)) == (400, "Unknown value for source_content_type [text/plain]")


def test_filter_path(client: Client) -> None:
    answer = client.get("/?filter_path=version.number,name")
    assert answer.text == '{\n  "name" : "node-0",\n  "version" : {\n    "number" : "2.19.1"\n  }\n}\n'


def test_human_texts_stand_before_their_numbers(client: Client) -> None:
    assert list(client.get("/_sized?human").json()["store"].items()) == [
        ("size", "2kb"), ("size_in_bytes", 2048), ("time", "1.5s"), ("time_in_millis", 1500),
    ]  # fmt: skip


def test_opaque_id_comes_back(client: Client) -> None:
    assert client.get("/", **{"X-Opaque-Id": "abc"}).headers["x-opaque-id"] == "abc"
    assert client.get("/x/_fail", **{"X-Opaque-Id": "abc"}).headers["x-opaque-id"] == "abc"
    assert "x-opaque-id" not in client.get("/").headers


def test_gzip_answers(client: Client) -> None:
    answer = client.get("/_sized", **{"Accept-Encoding": "gzip, deflate"})
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) == len(answer.body)
    assert json.loads(gzip.decompress(answer.body))["pad"] == "x" * 600


def test_gzip_requests(client: Client) -> None:
    packed = gzip.compress(b'{"a":1}')
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    assert client.request("POST", "/i/_echo", packed, headers).json()["body"] == {"a": 1}
    assert client.request("POST", "/i/_echo", packed[:-9], headers).status == 400
    assert client.request("POST", "/i/_echo", b"plain text", headers).status == 400


def test_decompression_bomb(client: Client) -> None:
    bomb = gzip.compress(b"[" * (8 << 20))
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    assert client.request("POST", "/i/_echo", bomb, headers).status == 413


def test_unknown_encoding(client: Client) -> None:
    headers = {"content-type": "application/json", "content-encoding": "br"}
    assert client.request("POST", "/i/_echo", b"{}", headers).status == 415


def test_large_bodies(client: Client) -> None:
    answer = client.post("/i/_echo", b'"' + b"x" * (4 << 20) + b'"')
    assert answer.status == 413
    assert answer.headers["connection"] == "close"
    assert client.request("POST", "/i/_echo", b"{}", {"content-length": "200000000"}).status == 413


def test_long_lines(client: Client) -> None:
    answer = client.get("/" + "a" * 5000)
    assert answer.status == 400
    assert answer.error()["type"] == "too_long_http_line_exception"
    assert reason(answer) == "An HTTP line is larger than 4096 bytes."


def test_length_and_chunks_together(client: Client) -> None:
    answer = client.request("POST", "/i/_echo", b"{}", {"transfer-encoding": "chunked"})
    assert answer.status == 400


def test_connections_close_while_draining(app: Application, client: Client) -> None:
    assert "connection" not in client.get("/").headers
    app.draining = True
    assert client.get("/").headers["connection"] == "close"
