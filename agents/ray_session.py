"""Starting and ending Ray, small and quiet."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

OBJECT_STORE = 200 * 2**20  # bytes; an iteration's rows take about 15 MiB

_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DEDUP_LOGS": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}


@contextmanager
def ray_session(address: str | None, processes: int) -> Iterator[None]:
    """Join the Ray cluster at ``address``, or start one of our own for ``processes`` workers; leave it at the end.

    Where this process is on Ray already, that is used, and left alone.
    """
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    import ray

    if ray.is_initialized():
        yield
        return
    logging.getLogger("ray").setLevel(logging.ERROR)
    if address is None:
        ray.init(
            address="local",
            num_cpus=processes + 1,
            include_dashboard=False,
            object_store_memory=OBJECT_STORE,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    else:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    try:
        yield
    finally:
        ray.shutdown()
