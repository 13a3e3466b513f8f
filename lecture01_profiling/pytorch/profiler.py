"""profiler: torch.profiler with all its switches, beside the C twin.

A schedule (wait, warmup, active, repeat), shapes, a trace handler, TensorBoard's handler, and toggle_collection_dynamic
in its four cases. common/profiler.h gives C the same under the same names: the lab profiler (./run profiler) shows it.
On a GPU both record the same work here, and their tables must agree: counts exactly, device time within 2 %.

    ./run pytorch/profiler [--trace FOLDER] [--csv FILE]
"""

import contextlib
import json
import tempfile
from pathlib import Path

import course

import torch
from torch.profiler import ProfilerActivity, profile, record_function, schedule, tensorboard_trace_handler

KINDS = [ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if course.ON_GPU else [])
SORT = "self_cuda_time_total" if course.ON_GPU else "self_cpu_time_total"
STEPS, MULTIPLIES = 5, 3


def work(x: torch.Tensor) -> torch.Tensor:
    """One step: a few multiplications in a range of their own, and a sum."""
    with record_function("multiplications"):
        for _ in range(MULTIPLIES):
            x = x * 1.5
    return x.sum()


def counts(p: profile) -> dict[str, int]:
    """Calls of each operation and range."""
    return {e.key: e.count for e in p.key_averages()}


def scheduled(checks: course.Checks, x: torch.Tensor) -> None:
    """Only the steps that matter: 0 is waited for, 1 warms up, 2 and 3 are kept."""
    tables = []

    def trace_handler(p: profile) -> None:
        tables.append(p.key_averages(group_by_input_shape=True))

    plan = schedule(wait=1, warmup=1, active=2, repeat=1)
    with profile(activities=KINDS, schedule=plan, on_trace_ready=trace_handler, record_shapes=True) as p:
        for _ in range(STEPS):
            work(x)
            course.synchronize()
            p.step()
    print("\nschedule(wait=1, warmup=1, active=2), record_shapes")
    print(tables[0].table(sort_by=SORT, row_limit=6))
    kept = {e.key: e for e in tables[0]}
    checks.true("the handler was called once", len(tables) == 1)
    checks.true("two steps were kept", kept["aten::mul"].count == 2 * MULTIPLIES)
    checks.true("their ranges too", kept["multiplications"].count == 2)
    checks.true("and the shapes", list(x.shape) in kept["aten::mul"].input_shapes)


def toggled(checks: course.Checks, x: torch.Tensor) -> None:
    """toggle_collection_dynamic: which of the two activities is off in the middle of the run."""
    print("\ntoggle_collection_dynamic: what is counted of 3 parts, the middle one with these off")
    print("  (PyTorch warns of each switch of the CPU's part: in a trace, the kernels of that time may be in any row.)")
    cases = {
        "nothing": [],
        "the CPU's": [ProfilerActivity.CPU],
        "CUDA's": [ProfilerActivity.CUDA],
        "both": [ProfilerActivity.CPU, ProfilerActivity.CUDA],
    }
    rows = []
    for name, off in cases.items():
        off = [kind for kind in off if kind in KINDS]
        with profile(activities=KINDS) as p:
            work(x)
            if off:
                p.toggle_collection_dynamic(False, off)
            work(x)
            course.synchronize()
            if off:
                p.toggle_collection_dynamic(True, off)
            work(x)
            course.synchronize()
        host = counts(p).get("aten::mul", 0)
        device = sum(e.device_type == torch.autograd.DeviceType.CUDA and "mul" in e.name.lower() for e in p.events())
        rows.append((name, host, device if course.ON_GPU else "-"))
        wanted = MULTIPLIES * (2 if ProfilerActivity.CPU in off else 3)
        checks.true(f"{name} off: {wanted} of aten::mul", host == wanted)
    course.table(("off", "aten::mul", "kernels"), rows)


def traced(checks: course.Checks, x: torch.Tensor, folder: Path) -> None:
    """A Chrome trace, for chrome://tracing and Perfetto; and the same where TensorBoard's plug-in looks for it."""
    with profile(activities=KINDS) as p:
        work(x)
        course.synchronize()
    p.export_chrome_trace(str(folder / "trace.json"))
    events = json.loads((folder / "trace.json").read_text())["traceEvents"]
    checks.true("the trace has the range", any(e.get("name") == "multiplications" for e in events))
    with profile(activities=KINDS, on_trace_ready=tensorboard_trace_handler(str(folder / "tensorboard"))):
        work(x)
        course.synchronize()
    written = list((folder / "tensorboard").glob("*.pt.trace.json"))
    checks.true("TensorBoard's handler wrote its file", len(written) == 1)


def main() -> int:
    parser = course.arguments(__doc__)
    parser.add_argument("--trace", metavar="FOLDER", help="keep the traces there")
    options = parser.parse_args()
    course.say_device()
    checks, side = course.Checks(), 256 if options.small else 4096
    x = torch.randn(side, side, device=course.DEVICE)
    work(x)
    course.synchronize()
    scheduled(checks, x)
    toggled(checks, x)
    with contextlib.ExitStack() as stack:
        if options.trace:
            folder = Path(options.trace)
            folder.mkdir(parents=True, exist_ok=True)
        else:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        traced(checks, x, folder)
    return checks.status


if __name__ == "__main__":
    course.leave(main())
