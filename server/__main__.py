"""The command line: ``lanner serve``, ``lanner demo``, ``lanner check``, ``lanner --version``."""

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="lanner", description="A search service that speaks the OpenSearch API."
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="command")
    serve = commands.add_parser("serve", help="start a node")
    demo = commands.add_parser("demo", help="start a node and fill an index with text to try things on")
    for command in (serve, demo):
        command.add_argument("-E", dest="settings", action="append", default=[], metavar="key=value")
        command.add_argument("--data", type=Path, help="folder of the data (path.data)")
        command.add_argument("--port", type=int, help="port to listen on, 0 for any free one (http.port)")
    check = commands.add_parser("check", help="verify every file of a data folder")
    check.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    if options.version:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"lanner {version('lanner')}")
        except PackageNotFoundError:
            print("lanner, run from its source tree")
        return 0
    if options.command == "check":
        from lanner.server.check import check_folder

        return check_folder(options.folder)
    if options.command in ("serve", "demo"):
        return start(options)
    parser.print_help()
    return 2


def start(options: argparse.Namespace) -> int:
    """Start a node and serve it until a signal comes."""
    from lanner.engine.common.errors import LannerError
    from lanner.server.config import ConfigError, load_settings, parse_overrides

    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(levelname)-5s %(name)s %(message)s"
    )
    try:
        overrides = parse_overrides(options.settings)
        if options.data is not None:
            overrides["path.data"] = str(options.data)
        if options.port is not None:
            overrides["http.port"] = str(options.port)
        settings = load_settings(overrides)

        from lanner.engine.node import Node, NodeSettings
        from lanner.server.app import create_app
        from lanner.server.serve import application_options, reserve_port, run

        address = reserve_port(settings)
        data = Path(settings["path.data"].split(",")[0])
        data.mkdir(parents=True, exist_ok=True)
        node = Node(NodeSettings.parse(settings))
        node.start()
    except (ConfigError, LannerError, OSError) as fault:
        print(f"lanner: {fault}", file=sys.stderr)
        return 1
    application = create_app(node, **application_options(settings))

    def ready(host: str, port: int) -> None:
        print(f"lanner is ready at http://{f'[{host}]' if ':' in host else host}:{port}", flush=True)
        if options.command == "demo":
            from lanner.server.demo import offer

            offer(node, host, port)

    run(node, application, address, settings, data=data, ready=ready)
    return 0


if __name__ == "__main__":
    sys.exit(main())
