"""The profiler's CUPTI back end with no GPU: against a CUPTI of our own (tests/profiler/helpers/fake_cupti.c) that
refuses in each known way, or delivers known records. Skipped where there is no CUDA Toolkit."""

from __future__ import annotations

import glob
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import check, said, skip, status

REFUSALS = (
    ("busy", "another profiler", "profiler: another profiler is attached"),
    ("denied", "no permission", "no permission to profile"),
    ("none", "not installed", "profiler: no CUPTI"),
)
PRINTED = (
    ("starts", "^start 0 CUPTI$"),
    ("a runtime call, without its version", "^cudaLaunchKernel,api,1,2.000,2.000,"),
    ("nor its stream suffix", "^cudaMemcpyAsync,api,1,1.000,1.000,"),
    ("a driver call that does work", "^cuLaunchKernel,api,1,1.000,"),
    (
        "a kernel, demangled, not the one that had not ended",
        r'^"square\(float\*, float const\*, int\)",kernel,1,.*,5.000,5.000,5.000$',
    ),
    ("a kernel launched by the driver's call", "^triton_kernel,kernel,1,.*,5.000,"),
    ("a copy, with its places", r"^Memcpy DtoH \(Device -> Pinned\),memory,1,.*,50.000,"),
    ("a copy between devices", r"^Memcpy PtoP \(Device -> Device\),memory,1,"),
    ("a fill", r"^Memset \(Device\),memory,1,"),
    ("a migration", "^Unified Memory Memcpy HtoD,memory,1,.*,3.000,"),
    ("the range has what was launched in it", "^range,range,1,.*,60.000,60.000,60.000$"),
)
TRACED = (
    (
        "a kernel's shape",
        '"registers per thread":33,"static shared memory":4096,"dynamic shared memory":1024,'
        r'"grid":\[3,1,1\],"block":\[128,2,1\]',
    ),
    ("a copy's speed", '"bytes":1000000,"memory bandwidth \\(GB/s\\)":20.000'),
)


def has(what: str, pattern: str, text: str) -> None:
    check(what, re.search(pattern, text, re.MULTILINE) is not None, f"no '{pattern}' in:", text)


def equal(what: str, got: object, expected: object) -> None:
    check(what, got == expected, f"got: {got}", f"expected: {expected}")


def count(pattern: str, text: str) -> int:
    """How many lines match."""
    return sum(re.search(pattern, line) is not None for line in text.split("\n"))


def toolkit() -> tuple[list[str], str] | None:
    """The options for its headers, and the folder of its libraries."""
    top = said(["tools/setup/device.sh", "--toolkit"])[1].strip()
    headers = [path for path in (f"{top}/include", f"{top}/extras/CUPTI/include") if os.path.isfile(path + "/cupti.h")]
    libraries = [path for path in (f"{top}/lib64", f"{top}/lib") if os.path.exists(path + "/libcudart.so")]
    return ([f"-I{headers[-1]}", f"-I{top}/include"], libraries[-1]) if top and headers and libraries else None


def builds(include: list[str], lib: str) -> bool:
    flags = "-std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -DLAB_CUDA -Icommon".split() + include
    sources = ["tests/profiler/helpers/cupti_client.c", *glob.glob("common/profiler/*.c"), "common/device/words.c"]
    libraries = [f"-L{lib}", f"-Wl,-rpath,{lib}", "-lcudart", "-lstdc++", "-ldl", "-lpthread", "-lm"]
    for command in (
        ["gcc", "-shared", "-fPIC", *flags, "tests/profiler/helpers/fake_cupti.c", "-o", work / "fake.so"],
        ["gcc", *flags, *sources, "-o", work / "client", *libraries],
    ):
        got, words = said(command)
        if got:
            check("", False, words)
            return False
    return True


def client(how: str, *words: str | Path) -> tuple[str, str]:
    """What it prints, and what it says as an error."""
    library = work / ("none.so" if how == "none" else "fake.so")
    env = {**os.environ, "PROFILER_CUPTI_LIBRARY": str(library), "FAKE_CUPTI": how}
    done = subprocess.run([work / "client", *words], capture_output=True, text=True, env=env, check=False)
    return done.stdout, done.stderr


def refusals() -> None:
    for how, what, line in REFUSALS:
        _, words = client(how)
        equal(f"{what}: one line", words.count("\n"), 1)
        has(f"{what}: which says so", line, words)
    has("no driver", "no NVIDIA driver", client("nodriver")[1])
    has("too old", "older than", client("old")[1])


def deliveries() -> None:
    out, words = client("ok", work / "trace.json")
    trace = (work / "trace.json").read_text()
    equal("silent", words, "")
    for what, line in PRINTED:
        has(what, line, out)
    equal("and no query", count("cuKernelGetName", out), 0)
    for what, part in TRACED:
        has(what, part, trace)
    equal("arrows", count('"ph":"f"', trace), 3)


def one_side_switched_off() -> None:
    out, _ = client("ok", work / "trace.json", "u")
    has("CUDA off: calls", "^cudaLaunchKernel,api,1,", out)
    equal("CUDA off: no kernels", count(",kernel,", out), 0)
    out, _ = client("ok", work / "trace.json", "p")
    equal("CPU off: kernels", count(",kernel,", out), 2)
    equal("CPU off: no calls", count(",api,|,range,", out), 0)


found = toolkit()
if not found:
    skip("the CUPTI back end: no CUDA Toolkit here")
    sys.exit(0)
with tempfile.TemporaryDirectory() as folder:
    work = Path(folder)
    if builds(*found):
        refusals()
        deliveries()
        one_side_switched_off()
sys.exit(status())
