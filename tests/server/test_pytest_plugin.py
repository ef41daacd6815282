"""The fixtures for other people's tests, in runs of pytest of their own."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
PLUGIN = ("-p", "lanner.server.pytest_plugin", "-p", "no:cacheprovider")


@pytest.fixture
def runs(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.delenv("OPENSEARCH_URL", raising=False)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    return pytester


def test_every_test_gets_an_empty_node(runs: pytest.Pytester) -> None:
    runs.makepyfile(
        """
        import os
        import pytest

        @pytest.mark.parametrize("turn", (1, 2))
        def test_writes(opensearch, lanner_url, turn):
            assert os.environ["OPENSEARCH_URL"] == lanner_url
            assert opensearch.indices.get(index="*") == {}
            assert "transient" not in str(opensearch.cluster.get_settings()["transient"])
            opensearch.index(index="books", body={"title": "Dune"})
            assert opensearch.count(index="books")["count"] == 1
            opensearch.bulk(body=[{"index": {"_index": "books"}}, {"title": "Emma"}])
            assert opensearch.count(index="books")["count"] == 2
            opensearch.index(index="books", body={"title": "Persuasion"}, refresh="false")
            assert opensearch.count(index="books")["count"] == 2
            opensearch.cluster.put_settings(body={"transient": {"action.auto_create_index": "false"}})
        """
    )
    runs.runpytest_subprocess(*PLUGIN).assert_outcomes(passed=2)


def test_more_of_them(runs: pytest.Pytester) -> None:
    runs.makepyfile(
        """
        from lanner.server.pytest_plugin import factories

        books_proc = factories.node({"cluster.name": "books"})
        books = factories.client("books_proc")

        def test_both(books, opensearch):
            assert books.info()["cluster_name"] == "books"
            assert opensearch.info()["cluster_name"] != "books"
        """
    )
    runs.runpytest_subprocess(*PLUGIN).assert_outcomes(passed=1)


@pytest.mark.parametrize("by_option", [False, True])
def test_a_service_that_runs_already(runs: pytest.Pytester, by_option: bool, tmp_path: Path) -> None:
    runs.makepyfile(
        """
        def test_url(lanner_nooproc):
            assert lanner_nooproc == "http://search.test:9201"
        """
    )
    options = ["--lanner-host=search.test", "--lanner-port=9201"] if by_option else []
    if not by_option:
        runs.makeini("[pytest]\nlanner_host = search.test\nlanner_port = 9201\n")
    runs.runpytest_subprocess(*PLUGIN, *options).assert_outcomes(passed=1)
