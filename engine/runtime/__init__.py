"""Disk, time and threads."""
