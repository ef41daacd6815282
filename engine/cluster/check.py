"""Verifies a data folder against its cluster state: what ``lanner check`` prints."""

import os
import shutil
import tempfile

from lanner.engine.cluster.persistence import LocalCoord
from lanner.engine.cluster.state import IndexMetadata
from lanner.engine.common.errors import LannerError
from lanner.engine.index.check import Finding, check_shard
from lanner.engine.index.leftover import is_leftover
from lanner.engine.index.store import ShardId, Store
from lanner.engine.runtime.fsio import FileSystem, RealFileSystem


def check_data_folder(path: str) -> list[Finding]:
    """Read every file that the state, the commit points and the translogs name; what is wrong with them.

    What an interrupted creation or deletion left is no finding: nothing acknowledged is in it, and the next
    start removes it. Changes nothing. The node must not be running.
    """
    files: FileSystem = RealFileSystem()
    folder = os.path.join(path, "indices")
    state = os.path.join(path, "state.db")
    if not files.is_dir(folder):
        return [Finding(folder, "there is no such folder: not a data folder")]
    findings: list[Finding] = []
    known: dict[str, IndexMetadata] = {}
    deleted: set[str] = set()
    if files.exists(state):
        try:
            known, deleted = _read_state(path)
        except LannerError as error:
            findings.append(Finding(state, error.reason))
    else:
        findings.append(Finding(state, "it is missing"))
    for uuid, index in known.items():
        for shard in range(index.number_of_shards):
            store = Store(files, os.path.join(folder, uuid, str(shard)), ShardId(index.name, uuid, shard))
            findings.extend(
                check_shard(store) if store.exists() else [Finding(store.path, "the folder is missing")]
            )
    for uuid in files.list(folder):
        place = os.path.join(folder, uuid)
        if uuid not in known and uuid not in deleted and not is_leftover(files, place):
            findings.append(Finding(place, "the cluster state does not know this index"))
            for name in filter(str.isdigit, files.list(place) if files.is_dir(place) else []):
                store = Store(files, os.path.join(place, name), ShardId(uuid, uuid, int(name)))
                findings.extend(check_shard(store))
    return findings


def _read_state(path: str) -> tuple[dict[str, IndexMetadata], set[str]]:
    """The indices of a node by UUID, and those whose deletion is under way.

    Read from a copy: opening a database finishes what a crash interrupted.
    """
    with tempfile.TemporaryDirectory() as copy:
        for name in ("state.db", "state.db-wal"):
            if os.path.exists(os.path.join(path, name)):
                shutil.copyfile(os.path.join(path, name), os.path.join(copy, name))
        store = LocalCoord(os.path.join(copy, "state.db"))
        try:
            indices = [
                IndexMetadata.decode(entry.value, entry.mod_revision) for _, entry in store.range("index/")
            ]
            deleted = {key.removeprefix("deleted/") for key, _ in store.range("deleted/")}
        finally:
            store.close()
    return {index.uuid: index for index in indices}, deleted
