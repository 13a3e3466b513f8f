"""square: torch.square, a * a and a ** 2 timed and profiled side by side.

Three spellings of one multiplication. A clock must be warm and must wait for the device; the profiler then tells what
each spelling called: which operation of ATen, and which kernel. The course's own kernel (../square.cu, rung 4) is the
fourth row.

    ./run pytorch/square [--csv FILE]
"""

import statistics
import time
from collections.abc import Callable

import course

import torch
from torch.profiler import ProfilerActivity, profile


def host_clock_ms(f: Callable[[], object], warm_up: int) -> float:
    """One call by the host's clock, which waits for the device; cold if warm_up is 0."""
    for _ in range(warm_up):
        f()
    course.synchronize()
    start = time.perf_counter()
    f()
    course.synchronize()
    return (time.perf_counter() - start) * 1e3


def operations(f: Callable[[], object]) -> tuple[list[str], list[str], object]:
    """What a call asks of ATen, what of the device, and the profile."""
    kinds = [ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if course.ON_GPU else [])
    with profile(activities=kinds) as p:
        f()
        course.synchronize()
    events = p.events()
    aten = [e.name for e in events if e.name.startswith("aten::")]
    kernels = [e.name for e in events if e.device_type == torch.autograd.DeviceType.CUDA]
    return aten, kernels, p


def main() -> int:
    options = course.arguments(__doc__).parse_args()
    course.say_device()
    checks, side = course.Checks(), 1000 if options.small else 10000
    a = torch.randn(side, side, device=course.DEVICE)
    y = torch.empty_like(a)
    course_square = course.launcher(course.shared_library("square", "lecture01_profiling/square.cu"), "square4", "ppn")

    def ours() -> torch.Tensor:
        course_square(a, y, a.numel())
        return y

    ways = {"torch.square": lambda: torch.square(a), "a * a": lambda: a * a, "a ** 2": lambda: a**2, "course": ours}
    print(f"\n{side} x {side} floats")
    for name, f in ways.items():
        checks.close(name, f(), a * a)

    cold = {name: host_clock_ms(f, 0) for name, f in ways.items()}
    samples = course.interleaved_ms(ways)
    moved = 2 * a.numel() * a.element_size()
    rows = []
    for name in ways:
        ms = statistics.median(samples[name])
        rows.append((name, cold[name], ms, moved / ms * 1e-6, course.ratio(samples, name, "torch.square")))
    header = ("way", "host_clock_ms", "time_ms", "gbps", "vs_torch_square")
    print("\nhost_clock_ms is one call between two synchronizes; time_ms the median of 20 after 5 warm-ups\n")
    course.table(header, rows)
    course.write_csv(options.csv, "./run pytorch/square", header, rows)

    for name, f in ways.items():
        aten, kernels, p = operations(f)
        print(f"\n{name} calls " + (" > ".join(aten) or "nothing of ATen (a C function, by ctypes)"))
        for kernel in kernels:
            print(f"    kernel {kernel}")
        print(
            p.key_averages().table(
                sort_by="self_cuda_time_total" if course.ON_GPU else "self_cpu_time_total", row_limit=6
            )
        )
        if name == "a ** 2":  # PyTorch has a special case for the exponent 2, in ATen or in the kernel
            checks.true("a ** 2 is aten::pow", "aten::pow" in aten)
    return checks.status


if __name__ == "__main__":
    course.leave(main())
