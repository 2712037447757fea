"""The metrics of this process, for comparison in tests."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from abhidhan.platform.runtime.metrics import REGISTRY

MetricChanges = dict[str, float]


def metric(name: str, **labels: str) -> float:
    """Return the value of a metric of this process; 0 if there is none."""
    return REGISTRY.get_sample_value(f"abhidhan_{name}", labels) or 0.0


@contextmanager
def count_changes(name: str, label: str, **labels: str) -> Iterator[MetricChanges]:
    """Yield a dictionary that is filled at the end with the changes of a metric within the block, by label value."""
    counted: MetricChanges = {}
    before = _values(name, label, labels)
    yield counted
    after = _values(name, label, labels)
    counted.update(
        {value: after[value] - before.get(value, 0) for value in after if after[value] != before.get(value, 0)}
    )


def _values(name: str, label: str, labels: dict[str, str]) -> MetricChanges:
    """Return the sums of the samples with these labels, by the values of another label."""
    values: MetricChanges = defaultdict(float)
    for sample in (sample for family in REGISTRY.collect() for sample in family.samples):
        if sample.name == f"abhidhan_{name}" and labels.items() <= sample.labels.items():
            values[sample.labels[label]] += sample.value
    return values
