"""What a creation that was interrupted leaves: folders and first commit points of an index that nobody knows.

An index is made on disk first and enters the cluster state afterwards; only then is it open for writing. So a
folder that the state does not know holds nothing that was acknowledged if it looks as it was made. The first
operation makes a translog, so one that was ever written to is never taken for a leftover, whatever became of
the state.
"""

import os

from lanner.engine.index.commit import FIRST_FILES
from lanner.engine.runtime.fsio import FileSystem


def is_leftover(files: FileSystem, folder: str) -> bool:
    """Whether the folder of an index holds no more than its making puts there."""
    return all(
        shard.isdigit() and _is_new(files, os.path.join(folder, shard)) for shard in _names(files, folder)
    )


def _is_new(files: FileSystem, shard: str) -> bool:
    return all(
        (name == "index" and FIRST_FILES.issuperset(_names(files, os.path.join(shard, name))))
        or (name == "translog" and not _names(files, os.path.join(shard, name)))
        for name in _names(files, shard)
    )


def _names(files: FileSystem, folder: str) -> list[str]:
    """Names in a folder; a file in its place counts as something unknown."""
    return files.list(folder) if files.is_dir(folder) else [folder]
