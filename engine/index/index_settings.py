"""The settings of one index: the flat map that was given, read as the types that the shard needs."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lanner.engine.analysis.parameters import Limits
from lanner.engine.common.settings import SettingsTable, nest, without_numbers
from lanner.engine.index.merge_policy import MergePolicy
from lanner.engine.index.setting_table import INDEX_FAMILIES, INDEX_SETTINGS

if TYPE_CHECKING:
    from lanner.ext.index.index_sort import SortKey

INDEX_TABLE = SettingsTable(INDEX_SETTINGS, INDEX_FAMILIES)


class IndexSettings(Mapping[str, str | list[str]]):
    """Immutable. As a mapping: what was set, under full names. Properties and `value`: with the defaults."""

    def __init__(self, flat: Mapping[str, str | list[str]]) -> None:
        self._flat = dict(flat)

    def __getitem__(self, name: str) -> str | list[str]:
        return self._flat[name]

    def get(self, name: str, default: Any = None) -> Any:
        """What was set, or the default; without the detour of the base class, as every request asks."""
        return self._flat.get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._flat)

    def __len__(self) -> int:
        return len(self._flat)

    def text(self, name: str) -> str:
        """A setting as text, or its default."""
        value = self._flat.get(name)
        if value is None:
            setting = INDEX_TABLE.settings[name]
            value = setting.default
        return ",".join(value) if isinstance(value, list) else value

    def value(self, name: str) -> Any:
        """A setting as its type, or its default."""
        return INDEX_TABLE.settings[name].parse(self.text(name), name)

    @cached_property
    def plain(self) -> dict[str, str]:
        """What was set, lists joined by commas."""
        return {
            name: ",".join(value) if isinstance(value, list) else value for name, value in self._flat.items()
        }

    @cached_property
    def blocks(self) -> frozenset[str]:
        """The settings ``index.blocks.*`` that are on."""
        return frozenset(
            name for name, value in self._flat.items() if name.startswith("index.blocks.") and value == "true"
        )

    def changed(self, flat: Mapping[str, str | list[str] | None]) -> "IndexSettings":
        """With these set; None and wildcards remove."""
        merged = dict(self._flat)
        for name, value in flat.items():
            if value is not None:
                merged[name] = value
            elif name.endswith("*"):
                for known in [known for known in merged if known.startswith(name[:-1])]:
                    del merged[known]
            else:
                merged.pop(name, None)
        return IndexSettings(merged)

    @cached_property
    def analysis(self) -> dict[str, Any]:
        """The nested object below ``index.analysis``."""
        return self._below("index.analysis.")

    @property
    def analysis_limits(self) -> Limits:
        """What the parts of analyzers may ask for."""
        return Limits(self.value("index.max_ngram_diff"), self.value("index.max_shingle_diff"))

    @cached_property
    def similarity(self) -> dict[str, Any]:
        """The nested object below ``index.similarity``."""
        return self._below("index.similarity.")

    def _below(self, prefix: str) -> dict[str, Any]:
        inner = {name[len(prefix) :]: value for name, value in self._flat.items() if name.startswith(prefix)}
        nested: dict[str, Any] = without_numbers(nest(inner))
        return nested

    @cached_property
    def number_of_shards(self) -> int:
        """Primary shards."""
        return int(self.value("index.number_of_shards"))

    @cached_property
    def number_of_replicas(self) -> int:
        """Wanted copies beside the primary."""
        return int(self.value("index.number_of_replicas"))

    def listed(self, name: str) -> list[str]:
        """A setting that may have several values, as they were given."""
        given = self._flat.get(name, [])
        return given if isinstance(given, list) else given.split(",")

    @cached_property
    def sort_keys(self) -> "tuple[SortKey, ...]":
        """What the documents of a segment are sorted by; empty for most indices."""
        fields = self.listed("index.sort.field")
        if not fields:
            return ()
        from lanner.ext.index.index_sort import SortKey

        missing, mode, order = (self.listed(f"index.sort.{name}") for name in ("missing", "mode", "order"))
        keys = []
        for i, field in enumerate(fields):
            descending = bool(order) and order[i].lower() == "desc"
            greatest = mode[i].lower() == "max" if mode else descending
            keys.append(SortKey(field, descending, bool(missing) and missing[i] == "_first", greatest))
        return tuple(keys)

    @cached_property
    def refresh_interval(self) -> float:
        """Seconds; negative: never by itself."""
        return self._seconds("index.refresh_interval")

    @cached_property
    def refresh_interval_is_set(self) -> bool:
        """Whether the interval was chosen, which turns off search idling."""
        return "index.refresh_interval" in self._flat

    @cached_property
    def search_idle_after(self) -> float:
        """Seconds without a search after which a shard does not refresh by itself."""
        return self._seconds("index.search.idle.after")

    @cached_property
    def max_refresh_listeners(self) -> int:
        """Requests that may wait for a refresh before one is forced."""
        return int(self.value("index.max_refresh_listeners"))

    @cached_property
    def durability_is_request(self) -> bool:
        """Whether a write is acknowledged only when it is durable."""
        return self.text("index.translog.durability").lower() == "request"

    @cached_property
    def sync_interval(self) -> float:
        """Seconds between syncs of the translog with asynchronous durability."""
        return self._seconds("index.translog.sync_interval")

    @cached_property
    def flush_threshold_size(self) -> int:
        """Bytes of translog that set off a flush."""
        return int(self.value("index.translog.flush_threshold_size"))

    @cached_property
    def gc_deletes(self) -> float:
        """Seconds for which the version of a deleted document is remembered."""
        return self._seconds("index.gc_deletes")

    @cached_property
    def hidden(self) -> bool:
        """Whether wildcards leave the index out."""
        return bool(self.value("index.hidden"))

    @cached_property
    def merge_policy(self) -> MergePolicy:
        """``index.merge.policy.*``."""
        return MergePolicy(
            segments_per_tier=self.value("index.merge.policy.segments_per_tier"),
            max_merge_at_once=self.value("index.merge.policy.max_merge_at_once"),
            max_merged_segment=self.value("index.merge.policy.max_merged_segment"),
            floor_segment=self.value("index.merge.policy.floor_segment"),
            deletes_pct_allowed=self.value("index.merge.policy.deletes_pct_allowed"),
            expunge_deletes_allowed=self.value("index.merge.policy.expunge_deletes_allowed"),
        )

    def _seconds(self, name: str) -> float:
        millis = float(self.value(name))
        return millis / 1000 if millis >= 0 else -1.0
