"""Start the installed package as a process, index a document, find it again, stop it.

Run outside the source tree.
"""

import json
import signal
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any


def ask(method: str, url: str, body: object = None) -> Any:
    """Send one request; return the decoded answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.loads(answer.read())


def main() -> int:
    """Return 0 when the service works."""
    command = str(Path(sys.executable).with_name("lanner"))
    print(subprocess.run([command, "--version"], check=True, capture_output=True, text=True).stdout.strip())
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [command, "serve", "--data", folder, "--port", "0"], stdout=subprocess.PIPE, text=True
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            url = line.split()[-1]
            ask("PUT", f"{url}/smoke/_doc/1?refresh=true", {"text": "a quick brown fox"})
            found = ask("POST", f"{url}/smoke/_search", {"query": {"match": {"text": "fox"}}})
            assert found["hits"]["total"]["value"] == 1, found
        finally:
            process.send_signal(signal.SIGTERM)
            status = process.wait(40)
        assert status == 0, status
    print("the wheel works")
    return 0


if __name__ == "__main__":
    sys.exit(main())
