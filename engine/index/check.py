"""Verifies every file of a data folder: what ``lanner check`` prints."""

import os
from dataclasses import dataclass

from pyroaring import BitMap

from lanner.engine.common.errors import LannerError
from lanner.engine.index.commit import read_last_commit
from lanner.engine.index.store import ShardId, Store
from lanner.engine.index.translog_reader import recover
from lanner.engine.runtime.fsio import FileSystem, RealFileSystem
from lanner.ext.errors import CorruptIndexError, FormatVersionError


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a file."""

    path: str
    problem: str


def check_data_folder(path: str, files: FileSystem | None = None) -> list[Finding]:
    """Read every file that the commit points and the translogs name; what is wrong, nothing when all is well.

    Changes nothing. The node must not be running.
    """
    files = files or RealFileSystem()
    folder = os.path.join(path, "indices")
    findings: list[Finding] = []
    if not files.is_dir(folder):
        return [Finding(folder, "there is no such folder: not a data folder")]
    for uuid in files.list(folder):
        for shard in files.list(os.path.join(folder, uuid)):
            if shard.isdigit():
                store = Store(files, os.path.join(folder, uuid, shard), ShardId(uuid, uuid, int(shard)))
                findings.extend(check_shard(store))
    return findings


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
