"""What the service says it is."""

BUILD_TYPE = "unknown"
BUILD_HASH = "2e4741fb45d1b150aaeeadf66d41445b23ff5982"
BUILD_DATE = "2025-02-27T01:16:47.726162386Z"
ROLES = ("cluster_manager", "data", "ingest", "remote_cluster_client")
