"""What the machine and the process look like: blocks of node statistics under the names of the API.

There is no JVM; its block shows this process in its shape, because tools read it: resident memory as the
heap, generations of Python's garbage collector as young and old.
"""

import contextlib
import gc
import os
import resource
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any

STARTED = time.time()


def now_millis() -> int:
    """Return the time of day in milliseconds."""
    return time.time_ns() // 1_000_000


def resident_bytes() -> int:
    """Return the resident memory of this process."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        import psutil

        return int(psutil.Process().memory_info().rss)
    return pages * os.sysconf("SC_PAGE_SIZE")


def os_stats() -> dict[str, Any]:
    """Return load, memory and swap of the machine."""
    import psutil

    memory = psutil.virtual_memory()
    swap = psutil.swap_memory()
    load = os.getloadavg()
    used = memory.total - memory.available
    percent = round(100 * used / memory.total)
    return {
        "timestamp": now_millis(),
        "cpu": {
            "percent": round(psutil.cpu_percent()),
            "load_average": dict(zip(("1m", "5m", "15m"), (round(value, 2) for value in load), strict=True)),
        },
        "mem": {
            "total_in_bytes": memory.total,
            "free_in_bytes": memory.available,
            "used_in_bytes": used,
            "free_percent": 100 - percent,
            "used_percent": percent,
        },
        "swap": {"total_in_bytes": swap.total, "free_in_bytes": swap.free, "used_in_bytes": swap.used},
        "cgroup": cgroup_stats(),
    }


def cgroup_stats() -> dict[str, Any]:
    """Return what limits the group of processes that this one belongs to."""

    def read(*names: str) -> str:
        for name in names:
            try:
                return Path("/sys/fs/cgroup", name).read_text().strip()
            except OSError:
                continue
        return ""

    usage = next(
        (line.split()[1] for line in read("cpu.stat").splitlines() if line.startswith("usage_usec")), "0"
    )
    limit = read("memory.max", "memory/memory.limit_in_bytes") or "max"
    return {
        "cpuacct": {"control_group": "/", "usage_nanos": int(usage) * 1000},
        "cpu": {
            "control_group": "/",
            "cfs_period_micros": 100000,
            "cfs_quota_micros": -1,
            "stat": {
                "number_of_elapsed_periods": 0,
                "number_of_times_throttled": 0,
                "time_throttled_nanos": 0,
            },
        },
        "memory": {
            "control_group": "/",
            "limit_in_bytes": "9223372036854771712" if limit == "max" else limit,
            "usage_in_bytes": read("memory.current", "memory/memory.usage_in_bytes") or "0",
        },
    }


def cpu_millis() -> int:
    """Return the processor time that this process has used."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return int((usage.ru_utime + usage.ru_stime) * 1000)


def cpu_percent() -> int:
    """Return the share of the machine's processors that this process used since its start."""
    elapsed = max(time.time() - STARTED, 0.001) * 1000 * (os.cpu_count() or 1)
    return min(100, int(100 * cpu_millis() / elapsed))


def open_files() -> int:
    """Return the number of open file descriptors."""
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:
        return -1


def process_stats() -> dict[str, Any]:
    """Return what this process uses."""
    try:
        virtual = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        virtual = 0
    return {
        "timestamp": now_millis(),
        "open_file_descriptors": open_files(),
        "max_file_descriptors": resource.getrlimit(resource.RLIMIT_NOFILE)[0],
        "cpu": {"percent": cpu_percent(), "total_in_millis": cpu_millis()},
        "mem": {"total_virtual_in_bytes": virtual},
    }


def memory_limit() -> int:
    """Return the memory that this process may use: the machine's, or the limit of its group."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
    except OSError:
        return total
    return min(total, int(limit)) if limit.isdigit() else total


def jvm_stats() -> dict[str, Any]:
    """Return memory, threads and garbage collection in the shape of a JVM's."""
    used = resident_bytes()
    limit = memory_limit()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    young, middle, old = (int(stats["collections"]) for stats in gc.get_stats()[:3])
    threads = threading.active_count()

    def pool(size: int, high: int, top: int) -> dict[str, Any]:
        return {
            "used_in_bytes": size,
            "max_in_bytes": top,
            "peak_used_in_bytes": high,
            "peak_max_in_bytes": top,
            "last_gc_stats": {"used_in_bytes": 0, "max_in_bytes": top, "usage_percent": -1 if not top else 0},
        }

    empty = {"count": 0, "used_in_bytes": 0, "total_capacity_in_bytes": 0}
    return {
        "timestamp": now_millis(),
        "uptime_in_millis": int((time.time() - STARTED) * 1000),
        "mem": {
            "heap_used_in_bytes": used,
            "heap_used_percent": 100 * used // limit,
            "heap_committed_in_bytes": used,
            "heap_max_in_bytes": limit,
            "non_heap_used_in_bytes": 0,
            "non_heap_committed_in_bytes": 0,
            "pools": {"young": pool(0, 0, 0), "old": pool(used, peak, limit), "survivor": pool(0, 0, 0)},
        },
        "threads": {"count": threads, "peak_count": threads},
        "gc": {
            "collectors": {
                "young": {"collection_count": young + middle, "collection_time_in_millis": 0},
                "old": {"collection_count": old, "collection_time_in_millis": 0},
            }
        },
        "buffer_pools": {
            "mapped": dict(empty),
            "direct": dict(empty),
            "mapped - 'non-volatile memory'": dict(empty),
        },
        "classes": {
            "current_loaded_count": len(sys.modules),
            "total_loaded_count": len(sys.modules),
            "total_unloaded_count": 0,
        },
    }


def fs_stats(folder: Path) -> dict[str, Any]:
    """Return the space on the disk of the data folder."""
    usage = shutil.disk_usage(folder)
    free = os.statvfs(folder)
    sizes = {
        "total_in_bytes": usage.total,
        "free_in_bytes": free.f_bfree * free.f_frsize,
        "available_in_bytes": free.f_bavail * free.f_frsize,
        "cache_reserved_in_bytes": 0,
    }
    mount, kind = mount_of(folder.resolve())
    return {
        "timestamp": now_millis(),
        "total": sizes,
        "data": [{"path": str(folder.resolve()), "mount": mount, "type": kind, **sizes}],
        "io_stats": io_stats(),
    }


def mount_of(folder: Path) -> tuple[str, str]:
    """Return where the file system of a folder is mounted from, and its type."""
    best = ("/ (unknown)", "unknown")
    size = -1
    try:
        lines = Path("/proc/self/mounts").read_text().splitlines()
    except OSError:
        return best
    for line in lines:
        device, point, kind, *_ = line.split()
        if folder.is_relative_to(point) and len(point) > size:
            best, size = (f"{point} ({device})", kind), len(point)
    return best


def io_stats() -> dict[str, Any]:
    """Return what the disks have done."""
    import psutil

    devices = []
    names = (
        "operations",
        "read_operations",
        "write_operations",
        "read_kilobytes",
        "write_kilobytes",
        "read_time",
        "write_time",
        "queue_size",
        "io_time_in_millis",
    )
    counters = psutil.disk_io_counters(perdisk=True) or {}
    for name, io in counters.items():
        if name[-1:].isdigit() and not name.startswith("nvme"):
            continue
        values = (
            io.read_count + io.write_count,
            io.read_count,
            io.write_count,
            io.read_bytes >> 10,
            io.write_bytes >> 10,
            io.read_time,
            io.write_time,
            0,
            getattr(io, "busy_time", 0),
        )
        devices.append({"device_name": name, **dict(zip(names, values, strict=True))})
    return {"devices": devices, "total": {name: sum(device[name] for device in devices) for name in names}}


def os_facts() -> dict[str, Any]:
    """Return the name and size of the machine."""
    import platform

    machine = platform.machine()
    pretty = platform.system()
    with contextlib.suppress(OSError):
        pretty = platform.freedesktop_os_release().get("PRETTY_NAME", pretty)
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return {
        "refresh_interval_in_millis": 1000,
        "name": platform.system(),
        "pretty_name": pretty,
        "arch": {"x86_64": "amd64"}.get(machine, machine),
        "version": platform.release(),
        "available_processors": processors,
        "allocated_processors": processors,
    }


def jvm_facts() -> dict[str, Any]:
    """Return the run time in the shape of a JVM's."""
    import platform

    limit = memory_limit()
    return {
        "pid": os.getpid(),
        "version": platform.python_version(),
        "vm_name": platform.python_implementation(),
        "vm_version": platform.python_version(),
        "vm_vendor": "Python Software Foundation",
        "bundled_jdk": False,
        "using_bundled_jdk": False,
        "start_time_in_millis": int(STARTED * 1000),
        "mem": {
            "heap_init_in_bytes": 0,
            "heap_max_in_bytes": limit,
            "non_heap_init_in_bytes": 0,
            "non_heap_max_in_bytes": 0,
            "direct_max_in_bytes": 0,
        },
        "gc_collectors": ["young", "old"],
        "memory_pools": ["young", "old", "survivor"],
        "using_compressed_ordinary_object_pointers": "false",
        "input_arguments": [],
    }
