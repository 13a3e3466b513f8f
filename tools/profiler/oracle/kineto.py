"""Runs the same kernels, called from PyTorch, under our profiler and then under PyTorch's own (Kineto), in one process.

kineto.py LIBPROFILER.so OURS.csv KINETO.csv      writes our table, and kernel,calls,mean_us of Kineto's events
"""

import collections
import ctypes
import sys

import torch
from torch.profiler import ProfilerActivity, profile

torch.manual_seed(0)
x = torch.rand(64 << 20, device="cuda")
a = torch.rand(2048, 2048, device="cuda", dtype=torch.bfloat16)
small = torch.rand(1000, device="cuda")


def work():
    for _ in range(100):
        y = x * x
        torch.relu(y)
        a @ a
        x.sum()
        small + small
    torch.cuda.synchronize()


lib = ctypes.CDLL(sys.argv[1])
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
lib.profiler_last_error.restype = ctypes.c_char_p
lib.profiler_backend.restype = ctypes.c_char_p
work()
if lib.profiler_start(None) or lib.profiler_backend() != b"CUPTI":
    sys.exit(f"the profiler does not start: {lib.profiler_last_error().decode()}")
work()
lib.profiler_stop()
f = ctypes.c_void_p(libc.fopen(sys.argv[2].encode(), b"w"))
lib.profiler_key_averages_csv(f)
libc.fclose(f)

with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as p:
    work()
times = collections.defaultdict(list)
for e in p.events():
    if e.device_type == torch.autograd.DeviceType.CUDA:
        times[e.name].append(e.time_range.end - e.time_range.start)
with open(sys.argv[3], "w") as f:
    for name, t in times.items():
        quoted = name.replace('"', '""')
        f.write(f'"{quoted}",{len(t)},{sum(t) / len(t):.4f}\n')
