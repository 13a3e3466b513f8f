#!/usr/bin/env python3
"""PyTorch's softmax at the lab's sizes, as a yardstick: python3 softmax_pytorch.py > ../results/h200/lecture05-softmax-pytorch.csv

Needs PyTorch and a GPU. The same protocol as the lab's: warm-up, events, median; buffers far larger than the L2 cache."""
import datetime

import torch


def median_ms(run, runs=20):
    for _ in range(5):
        run()
    times = []
    for _ in range(runs):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        run()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
    return sorted(times)[runs // 2]


print(f"# device: {torch.cuda.get_device_name()}")
print(f"# date: {datetime.date.today()}")
print("# command: python3 lecture05_shared_memory/softmax_pytorch.py")
print(f"# versions: PyTorch {torch.__version__}, CUDA {torch.version.cuda}")
print("lab,name,type,size,time_ms,gbps")
for rows, cols in ((16384, 16384), (4096, 131072)):
    for name, dtype in (("fp32", torch.float32), ("bf16", torch.bfloat16)):
        x = (torch.rand((rows, cols), device="cuda") * 12 - 6).to(dtype)
        y = torch.empty_like(x)
        ms = median_ms(lambda: torch.softmax(x, 1, out=y))
        gbps = 2 * x.numel() * x.element_size() / ms * 1e-6
        print(f"softmax,torch.softmax,{name},{rows}x{cols},{ms:.4f},{gbps:.0f}")
