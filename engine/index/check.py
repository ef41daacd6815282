"""Verifies every file of a shard."""

from dataclasses import dataclass

from pyroaring import BitMap

from lanner.engine.common.errors import LannerError
from lanner.engine.index.commit import read_last_commit
from lanner.engine.index.store import Store
from lanner.engine.index.translog_reader import recover
from lanner.ext.errors import CorruptIndexError, FormatVersionError


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a file."""

    path: str
    problem: str


def check_shard(store: Store) -> list[Finding]:
    """What is wrong with one shard's files."""
    findings: list[Finding] = []
    try:
        commit = read_last_commit(store)
    except (LannerError, OSError) as error:
        return [Finding(store.index_folder, str(error))]
    for segment in commit.segments:
        entries = [*segment.files.values(), *([segment.deleted] if segment.deleted else [])]
        wrong = [(entry, problem) for entry in entries if (problem := store.check_file(entry)) is not None]
        findings.extend(Finding(store.file(entry.name), problem) for entry, problem in wrong)
        if wrong:
            continue
        try:
            deleted = store.read_deletes(segment.deleted, segment.max_doc) if segment.deleted else BitMap()
            store.open_segment(segment.name, segment.files, deleted, verify=False).reader.check()
        except (LannerError, CorruptIndexError, FormatVersionError) as error:
            findings.append(Finding(store.file(segment.files["idx"].name), str(error)))
    try:
        readers, _ = recover(
            store.files, store.translog_folder, str(store.shard_id), commit.translog_generation
        )
        for reader in readers:
            for _ in reader.frames():
                pass
    except (LannerError, OSError) as error:
        findings.append(Finding(store.translog_folder, str(error)))
    return findings
