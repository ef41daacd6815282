"""Settings of the process: defaults, then a file, then the environment, then ``-E``.

The keys are OpenSearch's. The file is ``lanner.yml`` or ``opensearch.yml`` in the config folder
(LANNER_PATH_CONF, OPENSEARCH_PATH_CONF, or the working folder), with flat or nested keys. A variable of the
environment whose name has a full stop is a setting, as in the Docker image: ``discovery.type=single-node``.
"""

import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lanner.server.params import likeness

log = logging.getLogger("lanner.server")

FILES = ("lanner.yml", "opensearch.yml")
DEFAULTS: dict[str, str] = {
    "cluster.name": "lanner-cluster",
    "discovery.type": "single-node",
    "http.compression": "true",
    "http.max_content_length": "100mb",
    "http.max_header_size": "16kb",
    "http.max_initial_line_length": "4kb",
    "http.type": "lanner",
    "network.host": "127.0.0.1",
    "path.data": "data",
}
HTTP_TYPES = ("lanner", "granian")
FIRST_PORT, LAST_PORT = 9200, 9300
# Settings that are taken; those of a family are given by its beginning.
KNOWN = frozenset(
    {
        "action.auto_create_index",
        "action.destructive_requires_name",
        "bootstrap.memory_lock",
        "cluster.initial_cluster_manager_nodes",
        "cluster.initial_master_nodes",
        "cluster.name",
        "discovery.seed_hosts",
        "discovery.type",
        "http.bind_host",
        "http.compression",
        "http.compression_level",
        "http.host",
        "http.max_content_length",
        "http.max_header_size",
        "http.max_initial_line_length",
        "http.port",
        "http.publish_host",
        "http.publish_port",
        "http.type",
        "network.bind_host",
        "network.host",
        "network.publish_host",
        "node.data",
        "node.ingest",
        "node.master",
        "node.name",
        "node.processors",
        "node.roles",
        "node.max_local_storage_nodes",
        "path.data",
        "path.home",
        "path.logs",
        "path.repo",
        "transport.host",
        "transport.port",
        "transport.type",
    }
)
FAMILIES = (
    "node.attr.",
    "cluster.",
    "indices.",
    "index.",
    "search.",
    "action.",
    "http.cors.",
    "plugins.",
    "script.",
    "reindex.",
    "thread_pool.",
    "logger.",
    "discovery.",
    "gateway.",
    "transport.",
    "ingest.",
    "monitor.",
    "compatibility.",
    "repositories.",
    "snapshot.",
    "opensearch.",
    "client.",
    "network.",
)
# Variables of the Docker image that mean something to a JVM or to a plug-in that is not here.
IGNORED_VARIABLES = (
    "OPENSEARCH_JAVA_OPTS",
    "OPENSEARCH_JAVA_HOME",
    "OPENSEARCH_INITIAL_ADMIN_PASSWORD",
    "DISABLE_SECURITY_PLUGIN",
    "DISABLE_INSTALL_DEMO_CONFIG",
    "DISABLE_PERFORMANCE_ANALYZER_AGENT_CLI",
)
VARIABLES = {"LANNER_DATA": "path.data", "LANNER_PORT": "http.port", "LANNER_HOST": "network.host"}


class ConfigError(Exception):
    """A setting or a file that cannot be used; the text is for the person who starts the server."""


def load_settings(
    overrides: Mapping[str, str], *, environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> dict[str, str]:
    """Return all settings by flat key, the later sources over the earlier ones."""
    env = os.environ if environment is None else environment
    settings = dict(DEFAULTS)
    conf = env.get("LANNER_PATH_CONF") or env.get("OPENSEARCH_PATH_CONF")
    settings |= read_file(Path(conf) if conf else folder or Path())
    settings |= from_environment(env)
    settings |= overrides
    for key in settings:
        if key not in KNOWN and not key.startswith(FAMILIES):
            warn_unknown(key)
    kind = settings["discovery.type"]
    if kind not in ("single-node", "zen"):
        raise ConfigError(f"unknown discovery type [{kind}]")
    kind = settings["http.type"]
    if kind.startswith("netty4"):
        log.info("http.type [%s] is not here, [lanner] takes its place", kind)
        settings["http.type"] = "lanner"
    elif kind not in HTTP_TYPES:
        raise ConfigError(f"unknown http type [{kind}], expected one of [{', '.join(HTTP_TYPES)}]")
    return settings


def read_file(folder: Path) -> dict[str, str]:
    """Return the settings of the config file in a folder; none when there is no file."""
    path = next((folder / name for name in FILES if (folder / name).is_file()), None)
    if path is None:
        return {}
    import yaml

    try:
        content = yaml.safe_load(path.read_text()) or {}
    except (yaml.YAMLError, UnicodeDecodeError) as fault:
        raise ConfigError(f"{path}: {fault}") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: expected keys with values")
    return flatten(content)


def flatten(content: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Return nested settings by flat key; lists become comma-separated texts."""
    flat: dict[str, str] = {}
    for name, value in content.items():
        key = f"{prefix}{name}"
        if isinstance(value, Mapping):
            flat |= flatten(value, f"{key}.")
        elif value is not None:
            flat[key] = text_of(value)
    return flat


def text_of(value: Any) -> str:
    """Return a setting's value as text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(map(text_of, value))
    return str(value)


def from_environment(env: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that variables give."""
    settings = {
        name: value for name, value in env.items() if "." in name and name.replace("_", ".").islower()
    }
    settings |= {key: env[name] for name, key in VARIABLES.items() if env.get(name)}
    ignored = [name for name in IGNORED_VARIABLES if name in env]
    if ignored:
        log.info("ignored, there is no JVM and no plug-in here: %s", ", ".join(ignored))
    return settings


def warn_unknown(key: str) -> None:
    """Say that a key is not known, and which one may have been meant."""
    score, near = max((likeness(key, known), known) for known in KNOWN)
    hint = f", did you mean [{near}]?" if score > 0.6 else ""
    log.warning("unknown setting [%s] is ignored%s", key, hint)


def parse_overrides(pairs: Sequence[str]) -> dict[str, str]:
    """Return the settings of ``-E key=value`` arguments."""
    settings = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not key or not equals:
            raise ConfigError(f"-E takes key=value, not [{pair}]")
        settings[key.strip()] = value
    return settings


def bind_host(settings: Mapping[str, str]) -> str:
    """Return the address to listen on."""
    keys = ("http.bind_host", "http.host", "network.bind_host", "network.host")
    host = next((settings[key] for key in keys if settings.get(key)), "127.0.0.1").split(",")[0].strip()
    return {"_local_": "127.0.0.1", "_site_": "0.0.0.0", "_global_": "0.0.0.0", "localhost": "127.0.0.1"}.get(
        host, host
    )


def port_range(settings: Mapping[str, str]) -> range:
    """Return the ports to try, in order."""
    text = settings.get("http.port")
    try:
        if text is None:
            return range(FIRST_PORT, LAST_PORT + 1)
        first, dash, last = text.partition("-")
        ports = range(int(first), int(last if dash else first) + 1)
    except ValueError:
        raise ConfigError(f"[http.port] is no port or range of ports: [{text}]") from None
    if not ports or not 0 <= ports[0] <= ports[-1] <= 65535:
        raise ConfigError(f"[http.port] is no port or range of ports: [{text}]")
    return ports
