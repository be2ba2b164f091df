"""Batches that play uniformly: one call is a few hundred actions, drawn, played and written."""

import pytest
from loops import FORMS, Loop, compare, make_loop

pytestmark = pytest.mark.benchmark(group="batch")

BUDGET = 256  # actions of a call
LARGE = 8192
MAIN, *OTHERS = (form for form in FORMS if form != "nothing")


def checked(name: str, form: str, rows: int, threads: int, budget: int) -> Loop:
    """A loop whose batch has been compared with single states."""
    loop = make_loop(name, form, rows, threads, budget)
    compare(loop)
    return loop


@pytest.mark.parametrize("rows", [1, 256])
def test_batch(measure, name, rows):
    loop = checked(name, MAIN, rows, 1, BUDGET)
    measure(loop.run, "native", steps=rows * loop.steps)


@pytest.mark.large
@pytest.mark.parametrize("form", OTHERS)
def test_batch_forms(measure, name, form):
    loop = checked(name, form, 256, 1, BUDGET)
    measure(loop.run, "native", steps=256 * loop.steps)


@pytest.mark.large
@pytest.mark.parametrize("threads", [1, 2])
def test_large_batch(measure, name, threads):
    loops = [checked(name, MAIN, 4096, n, LARGE) for n in (1, threads)]
    assert loops[0].run().place() == loops[1].run().place()
    measure(loops[1].run, "large", steps=4096 * loops[1].steps)
