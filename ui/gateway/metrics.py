"""What a gateway counts, for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)


class Metrics:
    """The counts of one gateway, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.requests = Counter(
            "tagline_requests",
            "Requests by the client's protocol and by the status of the answer",
            ["protocol", "status"],
            registry=self._registry,
        )
        self.open = Gauge(
            "tagline_open_requests", "Requests that are being answered", registry=self._registry
        )
        self.chunks = Counter(
            "tagline_chunks", "Chunks of upstreams that told something", registry=self._registry
        )
        self.calls = Counter("tagline_calls", "Tool calls told to clients", registry=self._registry)
        self.first = Histogram(
            "tagline_first_delta_seconds",
            "From a request to the first thing that was told",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self.faults = Counter(
            "tagline_faults",
            "Answers that failed, before they began or in their midst",
            ["kind"],
            registry=self._registry,
        )

    def text(self) -> bytes:
        """Write them in Prometheus' text format."""
        return generate_latest(self._registry)
