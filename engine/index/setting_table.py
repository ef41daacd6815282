"""Every setting of an index that the API knows, with its default.

A setting may be here without having an effect in this release; it is then kept and shown like the others.
"""

from lanner.engine.common.errors import IllegalArgument, NumberFormatError
from lanner.engine.common.settings import (
    Setting,
    boolean,
    duration,
    integer,
    number,
    one_of,
    size,
    size_from,
    word,
)

_DURABILITY = "No enum constant org.opensearch.index.translog.Translog.Durability.{upper}"
_CODEC = (
    "unknown value for [index.codec] must be one of [default, lz4, best_compression, zlib] but was: {value}"
)
_CHECK = "unknown value for [{name}] must be one of [true, false, checksum] but was: {value}"
_LEVEL = "No enum constant org.opensearch.common.logging.SlowLogLevel.{upper}"
_ALLOCATION = "Illegal allocation.enable value [{upper}]"
_REBALANCE = "Illegal rebalance.enable value [{upper}]"
_KINDS = ("none", "new_primaries", "primaries", "all")
_MERGE = (
    "The setting has unsupported policy specified: {value}. Please use one of: tiered, log_byte_size, default"
)
_REPLICATION = "Could not parse ReplicationStrategy for [{value}]"


def _auto_expand(text: str, name: str) -> str:
    """``false``, or the bounds of the number of replicas: ``0-1``, ``0-all``."""
    if text == "false":
        return text
    least, dash, most = text.partition("-")
    if not dash:
        raise IllegalArgument(f"failed to parse [{name}] from value: [{text}] at index -1")
    for bound in (least, most):
        if not bound.isdigit() and (bound is least or bound != "all"):
            raise IllegalArgument(
                f"failed to parse [{name}] from value: [{text}] at index {len(least)}",
                caused_by=NumberFormatError(f'For input string: "{bound}"'),
            )
    if most != "all" and int(least) > int(most):
        raise IllegalArgument(f"[{name}] minReplicas must be =< maxReplicas but wasn't {least} > {most}")
    return text


def _active_shards(text: str, name: str) -> str:
    """A number of copies, or ``all``."""
    if text != "all" and not text.isdigit():
        raise IllegalArgument(
            f"cannot parse ActiveShardCount[{text}]",
            caused_by=NumberFormatError(f'For input string: "{text}"'),
        )
    return text


INDEX_SETTINGS: tuple[Setting, ...] = (
    Setting(
        "index.allocation.existing_shards_allocator", "gateway_allocator", word, dynamic=False, private=True
    ),
    Setting("index.allocation.max_retries", "5", integer(0)),
    Setting("index.analyze.max_token_count", "10000", integer(1)),
    Setting("index.append_only.enabled", "false", boolean, dynamic=False),
    Setting("index.auto_expand_replicas", "false", _auto_expand),
    Setting("index.blocks.metadata", "false", boolean),
    Setting("index.blocks.read", "false", boolean),
    Setting("index.blocks.read_only", "false", boolean),
    Setting("index.blocks.read_only_allow_delete", "false", boolean),
    Setting("index.blocks.write", "false", boolean),
    Setting("index.check_pending_flush.enabled", "true", boolean, dynamic=False),
    Setting(
        "index.codec", "default", one_of(_CODEC, "default", "lz4", "best_compression", "zlib"), dynamic=False
    ),
    Setting("index.codec.compression_level", "3", word, dynamic=False),
    Setting("index.composite_index", "false", boolean, dynamic=False),
    Setting("index.composite_index.star_tree.default.max_leaf_docs", "10000", integer(1), dynamic=False),
    Setting(
        "index.composite_index.star_tree.field.default.date_intervals",
        ["minute", "half-hour"],
        word,
        dynamic=False,
    ),
    Setting(
        "index.composite_index.star_tree.field.default.metrics", ["VALUE_COUNT", "SUM"], word, dynamic=False
    ),
    Setting("index.composite_index.star_tree.field.max_base_metrics", "100", integer(4), dynamic=False),
    Setting("index.composite_index.star_tree.field.max_date_intervals", "3", integer(1), dynamic=False),
    Setting("index.composite_index.star_tree.field.max_dimensions", "10", integer(2), dynamic=False),
    Setting("index.composite_index.star_tree.max_fields", "1", integer(1), dynamic=False),
    Setting("index.compound_format", "0.1", word),
    Setting("index.context.created_version", "0", integer(0), dynamic=False, private=True),
    Setting("index.context.current_version", "0", integer(0), dynamic=False, private=True),
    Setting("index.creation_date", "-1", integer(-1, 2**63 - 1), dynamic=False, private=True),
    Setting("index.data_path", "", word, dynamic=False),
    Setting("index.default_pipeline", "_none", word),
    Setting("index.fielddata.cache", "node", word, dynamic=False),
    Setting("index.final_pipeline", "_none", word),
    Setting("index.flush_after_merge", "512mb", size),
    Setting("index.force_memory_term_dictionary", "false", boolean, dynamic=False),
    Setting("index.format", "0", integer(-(2**31)), dynamic=False),
    Setting("index.gc_deletes", "60s", duration()),
    Setting("index.hidden", "false", boolean),
    Setting("index.highlight.max_analyzed_offset", "1000000", integer(1)),
    Setting(
        "index.indexing.slowlog.level", "TRACE", one_of(_LEVEL, "trace", "debug", "info", "warn", fold=True)
    ),
    Setting("index.indexing.slowlog.reformat", "true", boolean),
    Setting("index.indexing.slowlog.source", "1000", boolean),
    Setting("index.indexing.slowlog.threshold.index.debug", "-1", duration()),
    Setting("index.indexing.slowlog.threshold.index.info", "-1", duration()),
    Setting("index.indexing.slowlog.threshold.index.trace", "-1", duration()),
    Setting("index.indexing.slowlog.threshold.index.warn", "-1", duration()),
    Setting("index.load_fixed_bitset_filters_eagerly", "true", boolean, dynamic=False),
    Setting("index.mapper.dynamic", "true", boolean),
    Setting("index.mapping.coerce", "false", boolean, dynamic=False),
    Setting("index.mapping.depth.limit", "20", integer(1)),
    Setting("index.mapping.field_name_length.limit", "2147483647", integer(1)),
    Setting("index.mapping.ignore_malformed", "false", boolean, dynamic=False),
    Setting("index.mapping.nested_fields.limit", "50", integer(0)),
    Setting("index.mapping.nested_objects.limit", "10000", integer(0)),
    Setting("index.mapping.total_fields.limit", "1000", integer(0)),
    Setting("index.max_adjacency_matrix_filters", "100", integer(2)),
    Setting("index.max_docvalue_fields_search", "100", integer(0)),
    Setting("index.max_inner_result_window", "100", integer(1)),
    Setting("index.max_ngram_diff", "1", integer(0)),
    Setting("index.max_refresh_listeners", "1000", integer(0)),
    Setting("index.max_regex_length", "1000", integer(1)),
    Setting("index.max_rescore_window", "10000", integer(1)),
    Setting("index.max_result_window", "10000", integer(1)),
    Setting("index.max_script_fields", "32", integer(0)),
    Setting("index.max_shingle_diff", "3", integer(0)),
    Setting("index.max_slices_per_pit", "1024", integer(1)),
    Setting("index.max_slices_per_scroll", "1024", integer(1)),
    Setting("index.max_terms_count", "65536", integer(1)),
    Setting("index.merge.log_byte_size_policy.max_merge_segment", "5368709120b", size),
    Setting("index.merge.log_byte_size_policy.max_merge_segment_forced_merge", "9223372036854775807b", size),
    Setting("index.merge.log_byte_size_policy.max_merged_docs", "2147483647", integer(-(2**31))),
    Setting("index.merge.log_byte_size_policy.merge_factor", "10", integer(2)),
    Setting("index.merge.log_byte_size_policy.min_merge", "2097152b", size),
    Setting("index.merge.log_byte_size_policy.no_cfs_ratio", "0.1", word),
    Setting(
        "index.merge.policy", "default", one_of(_MERGE, "tiered", "log_byte_size", "default"), dynamic=False
    ),
    Setting("index.merge.policy.deletes_pct_allowed", "20.0", number(5.0)),
    Setting("index.merge.policy.expunge_deletes_allowed", "10.0", number(0.0)),
    Setting("index.merge.policy.floor_segment", "2097152b", size),
    Setting("index.merge.policy.max_merge_at_once", "10", integer(2)),
    Setting("index.merge.policy.max_merged_segment", "5368709120b", size),
    Setting("index.merge.policy.reclaim_deletes_weight", "2.0", number(0.0)),
    Setting("index.merge.policy.segments_per_tier", "10.0", number(2.0)),
    Setting("index.merge.scheduler.auto_throttle", "true", boolean),
    Setting("index.merge.scheduler.max_merge_count", "6", integer(1)),
    Setting("index.merge.scheduler.max_thread_count", "1", integer(1)),
    Setting("index.merge_on_flush.enabled", "true", boolean),
    Setting("index.merge_on_flush.max_full_flush_merge_wait_time", "10s", duration()),
    Setting("index.merge_on_flush.policy", "default", word),
    Setting("index.number_of_replicas", "1", integer(0)),
    Setting("index.number_of_routing_shards", "1", integer(1), dynamic=False),
    Setting("index.number_of_shards", "1", integer(1, 1024), dynamic=False),
    Setting("index.optimize_auto_generated_id", "true", boolean),
    Setting("index.optimize_doc_id_lookup.fuzzy_set.enabled", "false", boolean),
    Setting("index.optimize_doc_id_lookup.fuzzy_set.false_positive_probability", "0.2047", number(0.01)),
    Setting("index.percolator.map_unmapped_fields_as_text", "false", boolean, dynamic=False),
    Setting("index.priority", "1", integer(0)),
    Setting("index.provided_name", "", word, dynamic=False, private=True),
    Setting("index.queries.cache.enabled", "true", boolean, dynamic=False),
    Setting("index.query.default_field", ["*"], word),
    Setting("index.query.derived_field.enabled", "true", boolean),
    Setting("index.query.max_nested_depth", "2147483647", integer(1)),
    Setting("index.query.parse.allow_unmapped_fields", "true", boolean, dynamic=False),
    Setting("index.query_string.lenient", "false", boolean, dynamic=False),
    Setting("index.recovery.type", "", word, dynamic=False),
    Setting("index.refresh_interval", "1s", duration()),
    Setting("index.remote_store.enabled", "false", boolean, dynamic=False, private=True),
    Setting("index.remote_store.segment.repository", "", word, dynamic=False, private=True),
    Setting("index.remote_store.translog.buffer_interval", "650ms", duration()),
    Setting("index.remote_store.translog.keep_extra_gen", "100", integer(0)),
    Setting("index.remote_store.translog.repository", "", word, dynamic=False, private=True),
    Setting("index.replication.type", "DOCUMENT", one_of(_REPLICATION, "DOCUMENT", "SEGMENT"), dynamic=False),
    Setting("index.requests.cache.enable", "true", boolean),
    Setting("index.routing.allocation.enable", "all", one_of(_ALLOCATION, *_KINDS, fold=True)),
    Setting("index.routing.allocation.total_shards_per_node", "-1", integer(-1)),
    Setting(
        "index.routing.rebalance.enable",
        "all",
        one_of(_REBALANCE, "none", "replicas", "primaries", "all", fold=True),
    ),
    Setting("index.routing_partition_size", "1", integer(1), dynamic=False),
    Setting("index.search.concurrent.max_slice_count", "0", integer(0)),
    Setting("index.search.concurrent_segment_search.enabled", "false", boolean),
    Setting("index.search.concurrent_segment_search.mode", "none", word),
    Setting("index.search.default_pipeline", "_none", word),
    Setting("index.search.idle.after", "30s", duration(0, "0m")),
    Setting(
        "index.search.slowlog.level", "TRACE", one_of(_LEVEL, "trace", "debug", "info", "warn", fold=True)
    ),
    Setting("index.search.slowlog.threshold.fetch.debug", "-1", duration()),
    Setting("index.search.slowlog.threshold.fetch.info", "-1", duration()),
    Setting("index.search.slowlog.threshold.fetch.trace", "-1", duration()),
    Setting("index.search.slowlog.threshold.fetch.warn", "-1", duration()),
    Setting("index.search.slowlog.threshold.query.debug", "-1", duration()),
    Setting("index.search.slowlog.threshold.query.info", "-1", duration()),
    Setting("index.search.slowlog.threshold.query.trace", "-1", duration()),
    Setting("index.search.slowlog.threshold.query.warn", "-1", duration()),
    Setting("index.search.throttled", "false", boolean, dynamic=False, private=True),
    Setting("index.searchable_snapshot.index.id", "", word),
    Setting("index.searchable_snapshot.repository", "", word),
    Setting("index.searchable_snapshot.shard_path_type", "FIXED", word),
    Setting("index.searchable_snapshot.snapshot_id.name", "", word),
    Setting("index.searchable_snapshot.snapshot_id.uuid", "", word),
    Setting(
        "index.shard.check_on_startup", "false", one_of(_CHECK, "true", "false", "checksum"), dynamic=False
    ),
    Setting("index.soft_deletes.enabled", "true", boolean, dynamic=False),
    Setting("index.soft_deletes.retention.operations", "0", integer(0)),
    Setting("index.soft_deletes.retention_lease.period", "12h", duration()),
    Setting("index.sort.field", [], word, dynamic=False),
    Setting("index.sort.missing", [], word, dynamic=False),
    Setting("index.sort.mode", [], word, dynamic=False),
    Setting("index.sort.order", [], word, dynamic=False),
    Setting("index.store.fs.fs_lock", "native", word, dynamic=False),
    Setting(
        "index.store.hybrid.mmap.extensions",
        ["nvd", "dvd", "tim", "tip", "dim", "kdd", "kdi", "cfs", "doc"],
        word,
        dynamic=False,
    ),
    Setting(
        "index.store.hybrid.nio.extensions",
        [
            "segments_N",
            "write.lock",
            "si",
            "cfe",
            "fnm",
            "fdx",
            "fdt",
            "pos",
            "pay",
            "nvm",
            "dvm",
            "tvx",
            "tvd",
            "liv",
            "dii",
            "vem",
        ],
        word,
        dynamic=False,
    ),
    Setting("index.store.preload", [], word, dynamic=False),
    Setting("index.store.stats_refresh_interval", "10s", duration(), dynamic=False),
    Setting("index.store.type", "", word, dynamic=False),
    Setting("index.translog.durability", "REQUEST", one_of(_DURABILITY, "request", "async", fold=True)),
    Setting("index.translog.flush_threshold_size", "512mb", size_from(56, "56b")),
    Setting("index.translog.generation_threshold_size", "64mb", size),
    Setting("index.translog.retention.age", "-1", duration()),
    Setting("index.translog.retention.size", "-1", size),
    Setting("index.translog.sync_interval", "5s", duration(100, "100ms")),
    Setting("index.unassigned.node_left.delayed_timeout", "1m", duration()),
    Setting("index.unreferenced_file_cleanup.enabled", "true", boolean),
    Setting("index.use_compound_file", "true", boolean, dynamic=False),
    Setting("index.uuid", "_na_", word, dynamic=False, private=True),
    Setting("index.verified_before_close", "false", boolean, dynamic=False, private=True),
    Setting("index.version.created", "0", word, dynamic=False, private=True),
    Setting("index.warmer.enabled", "true", boolean),
    Setting("index.write.wait_for_active_shards", "1", _active_shards),
)

# Names below these are free; whether they can be changed while the index is open.
INDEX_FAMILIES = {
    "archived.": False,
    "index.analysis.": False,
    "index.similarity.": False,
    "index.routing.allocation.require.": True,
    "index.routing.allocation.include.": True,
    "index.routing.allocation.exclude.": True,
    "index.routing.allocation.initial_recovery.": False,
}
