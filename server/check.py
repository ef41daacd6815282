"""``lanner check``: verifies the files of a data folder without changing them."""

import sys
from pathlib import Path

from lanner.engine.cluster.check import check_data_folder


def check_folder(folder: Path) -> int:
    """Print what is wrong with a data folder; return the exit status."""
    findings = check_data_folder(str(folder))
    for finding in findings:
        print(f"{finding.path}: {finding.problem}", file=sys.stderr)
    print(
        f"{folder}: {len(findings)} problems" if findings else f"{folder}: all files are as they were written"
    )
    return 1 if findings else 0
