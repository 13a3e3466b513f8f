"""./run LAB --ptx and --sass: the instructions of the rung's own kernels, each with its source line; and what is said
where nvcc or nvdisasm is not. The page that tells of them agrees with nvcc's own account."""

import glob
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from tap import check, expect, said, skip, status

PAGE = "lecture03_cuda_basics/compilation.md"
LISTING = "tools/notes/listing.sh"
ADD = "lecture03_cuda_basics/add.cu"
TOOL = r'(?:^#\$ |[/"$])(cudafe\+\+|cicc|ptxas|fatbinary|g\+\+|gcc)[" ]'  # where nvcc --dryrun starts one


def lines_matching(pattern: str, text: str) -> int:
    return sum(re.search(pattern, line) is not None for line in text.split("\n"))


def without_nvcc(work: Path) -> None:
    bare = work / "bare"  # all but NVIDIA's
    bare.mkdir()
    for path in (Path(path) for folder in ("/usr/local/bin", "/usr/bin", "/bin") for path in glob.glob(folder + "/*")):
        if path.name not in ("nvcc", "nvdisasm") and not os.path.lexists(bare / path.name):
            (bare / path.name).symlink_to(path)
    env = {"PATH": str(bare), "CUDA_HOME": "/nonexistent"}
    expect("listing.sh says what it takes", LISTING, "^usage: listing.sh", 2)
    expect("listing.sh without its file", f"{LISTING} ptx nowhere.cu", "no file 'nowhere.cu'", 2)
    no_nvcc = "^listing: no nvcc here"
    expect("without nvcc it says so", f"{LISTING} ptx {ADD}", no_nvcc + ", .*install the CUDA Toolkit", 2, env)
    expect("./run --sass without nvcc", "./run add --device cpu --sass --rung 4", no_nvcc, 2, env)
    expect("./run --ptx without a lab", f"./run lecture03 --device {device} --ptx", "wants a lab", 2)


def ptx() -> None:
    add = f"./run add --device {device} --ptx --rung"
    load = r"ld\.global\.f32 .*; load 4 bytes of global memory"
    words = expect("a load in PTX", f"{add} 4", load)
    source = re.search(r"z\[i\] = x\[i\] \+ y\[i\];.*add.cu:[0-9]+$", words, re.MULTILINE)
    check("and its source line above it", source and "ld.global" in words[source.end() :], words)
    own = lines_matching(r"^[a-z].*kernel", words), lines_matching(r"^add_kernel4\(", words)
    check("of the rung's own kernel alone", own == (1, 1), own, words)
    load = r"ld\.global\.v4\.f32 .*; load 16 bytes of global memory"
    expect("another rung, another kernel", f"{add} 5", load)
    expect("a rung that is not there", f"{add} 9", "rungs 1 to 5", 2)
    expect("an exercise's kernel", f"./run 1.1 --device {device} --ptx", "^number_kernel")
    expect("a kernel that is not there", f"{LISTING} ptx {ADD} no_such_kernel", "no kernel of that name", 1)


def page(nvcc: str, work: Path) -> None:
    """Its order of tools is nvcc's; each generation that nvcc knows stands in its table."""
    _, words = said([nvcc, "--dryrun", "-o", str(work / "program"), "lecture01_profiling/first/program.cu"])
    order = re.findall(TOOL, words, re.MULTILINE)
    first = [order.index(tool) if tool in order else -1 for tool in ("cicc", "ptxas", "fatbinary")]
    good = 0 <= first[0] < first[1] < first[2] and "cudafe++" in order
    check("cicc, then ptxas, then fatbinary, and cudafe++", good, order)
    known = said([nvcc, "--list-gpu-arch"])[1].replace("compute_", "sm_").split()
    table = Path(PAGE).read_text()
    absent = [arch for arch in known if not re.search(rf"(?m)^\| [0-9.]* \| `{arch}`", table)]
    check("the table has each generation that nvcc knows", not absent, *absent)


def sass() -> None:
    add = f"./run add --device {device} --sass --rung 4"
    expect("an addition in machine code", add, r"FADD .*; a \+ b, fp32")
    expect("and the kernel's registers", add, r"^add_kernel4\(.*\): [0-9][0-9]* registers")
    loop = f"{LISTING} --loop FFMA --fold sass lecture14_tiling/gemm.cu gemm_kernel5"
    words = expect("the loop with most multiply-adds", loop, r"in the loop: .*\b64 FFMA")
    check("folded", "... 61 more of them" in words, words)
    no_loop = f"{LISTING} --loop HGMMA sass {ADD} add_kernel3"
    expect("a loop that is not there", no_loop, "has no loop with HGMMA", 1)


def main(work: Path) -> None:
    without_nvcc(work)
    toolkit = said(["tools/setup/device.sh", "--toolkit"])[1].strip()
    if not toolkit:
        skip("listings: no nvcc here")
        return
    os.environ["ARCH"] = "sm_90a"
    ptx()
    page(f"{toolkit}/bin/nvcc", work)
    places = (f"{toolkit}/bin/nvdisasm", "build/nvdisasm/bin/nvdisasm")
    if shutil.which("nvdisasm") or any(os.access(place, os.X_OK) for place in places):
        sass()
        return
    how = "no nvdisasm here.*tools/setup/need.sh nvdisasm"
    expect("without nvdisasm it says so", f"./run add --device {device} --sass --rung 4", how, 2)
    skip("machine code: no nvdisasm here (tools/setup/need.sh nvdisasm gets it)")


os.environ["LC_ALL"] = "C"
device = (sys.argv[1:2] or ["cpu"])[0]
with tempfile.TemporaryDirectory() as folder:
    main(Path(folder))
sys.exit(status())
