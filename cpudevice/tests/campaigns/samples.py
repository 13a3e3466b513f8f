"""NVIDIA's cuda-samples: what each is built of, and the arguments that it is run with."""

from __future__ import annotations

import glob
import json
import os
import re

from programs import Campaign, Result, read, reason, run_logged

# The smallest sizes that a sample documents in its help or its source, for --check.
SMALL = {
    "matrixMul": "-wA=128 -hA=128 -wB=128 -hB=128",
    "globalToShmemAsyncCopy": "-wA=128 -hA=128 -wB=128 -hB=128",
    "reduction": "--n=65536",
    "threadFenceReduction": "--n=65536",
    "reductionMultiBlockCG": "--n=65536",
    "eigenvalues": "--matrix-size=256 --iters-timing=1",
    "transpose": "--dimX=64 --dimY=64",
    "FDTD3d": "--dimx=96 --dimy=96 --dimz=96 --radius=4 --timesteps=1",
    "UnifiedMemoryPerf": "-kernel-iterations=1",
    "SobolQRNG": "--vectors=1000 --dimensions=10",
    "p2pBandwidthLatencyTest": "--numElems=10000",
}
# What a sample includes, and why it is not tried.
NOT_TRIED = [
    (re.compile(r"GLFW|EGL|vulkan|d3d|D3D|GLES"), "draws through Vulkan, EGL or Direct3D"),
    (re.compile(r"mpi\.h"), "needs MPI"),
    (re.compile(r"npp|nvjpeg|nvscibuf|boost|nvJitLink"), "needs another library"),
]
OPENGL = re.compile(r"GL/|helper_gl")


def test_arguments(checkout: str) -> dict[str, list[list[str]]]:
    """The lists of arguments that the checkout's test_args.json gives each sample."""
    try:
        samples = json.loads(read(f"{checkout}/test_args.json"))
    except ValueError:
        return {}
    return {name: args_in(about) for name, about in samples.items()}


def args_in(about: object) -> list[list[str]]:
    """Each "args" in what the file says of a sample, which has one or a list of runs."""
    if isinstance(about, list):
        return [args for run in about for args in args_in(run)]
    if not isinstance(about, dict):
        return []
    own = [" ".join(about["args"]).split()] if "args" in about else []
    return own + [args for value in about.values() for args in args_in(value)]


def uncommented(cmake: str) -> str:
    """CMakeLists.txt without its comments."""
    return "\n".join(line for line in cmake.split("\n") if not line.lstrip(" ").startswith("#"))


def sources_of(folder: str, cmake: str) -> list[str]:
    """The sources as CMake is told them: of the first add_executable; without one, all that are there."""
    told = re.search(r"add_executable\( *[^ )\n]+([^)]*)\)", cmake)
    named = [word for word in told[1].split() if re.search(r"\.(cu|cpp|c)$", word)] if told else []
    return named or sorted(os.path.basename(f) for e in ("cu", "cpp") for f in glob.glob(f"{folder}/*.{e}"))


def includes_of(folder: str) -> str:
    """The #include lines of all sources and headers."""
    files = [f for ending in ("cu", "cpp", "h", "cuh") for f in glob.glob(f"{folder}/*.{ending}")]
    return " ".join(re.sub(" ", "", i) for f in files for i in re.findall(r"^ *# *include.*$", read(f), re.MULTILINE))


def flags_of(checkout: str, folder: str, cmake: str, whole: str) -> list[str]:
    """The options that a sample is built with."""
    flags = [f"-I{checkout}/Common"]
    if OPENGL.search(includes_of(folder)):
        flags += ["-lGL", "-lGLU", "-lglut"]
    if os.path.isdir(f"{folder}/inc"):
        flags.append("-Iinc")
    if "OpenMP" in whole:
        flags += ["-Xcompiler", "-fopenmp"]
    libraries = set(re.findall(r"CUDA::([A-Za-z]+)", cmake))  # cuda_driver is cuda
    return flags + [f"-l{name}" for name in sorted(libraries)]


def lay_beside(campaign: Campaign, checkout: str, root: str, folder: str, cmake: str) -> None:
    """What CMake lays beside the program: headers that it compiles at run time, and images that it loads."""
    if "/cooperative_groups.h" in cmake:
        for name in ("cooperative_groups.h", "cooperative_groups"):
            link = f"{folder}/{name}"
            if os.path.lexists(link):
                os.remove(link)
            os.symlink(f"{root}/cpudevice/include/{name}", link)
    for image, ending in sorted(set(re.findall(r"([A-Za-z0-9_]+64\.(fatbin|ptx))", cmake))):
        source = f"{folder}/{image.split('64.')[0]}.cu"
        command = [*campaign.cucc, f"-{ending}", "-O2", "-w", f"-I{checkout}/Common", "-o", f"{folder}/{image}", source]
        if run_logged(command, campaign.log(os.path.basename(folder), "image"), 300) and os.path.exists(command[-2]):
            os.remove(command[-2])


def try_sample(campaign: Campaign, checkout: str, root: str, folder: str, runs: list[list[str]]) -> Result:
    """Builds and runs one sample."""
    name = os.path.basename(folder)
    whole = read(f"{folder}/CMakeLists.txt")
    cmake, includes = uncommented(whole), includes_of(folder)
    because = next((why for pattern, why in NOT_TRIED[:1] if pattern.search(includes)), None)
    if because is None and OPENGL.search(includes):
        because = None if runs else "opens a window (OpenGL)"
    elif because is None:
        because = next((why for pattern, why in NOT_TRIED if pattern.search(includes)), None)
    if because:
        return Result("not tried", because)
    lay_beside(campaign, checkout, root, folder, cmake)
    if not campaign.build(name, folder, sources_of(folder, cmake), flags_of(checkout, folder, cmake, whole)):
        return Result("does not build", reason(campaign.log(name, "build")))
    if campaign.check and name in SMALL:
        return campaign.run_once(name, folder, SMALL[name].split())
    return campaign.run_all(name, folder, runs)


def samples(campaign: Campaign, checkout: str, root: str, pattern: str) -> None:
    """All samples whose path contains the pattern."""
    runs = test_arguments(checkout)
    for folder in sorted(glob.glob(f"{checkout}/Samples/*/*")):
        if pattern in folder and os.path.isfile(f"{folder}/CMakeLists.txt"):
            name = os.path.basename(folder)
            campaign.report(name, try_sample(campaign, checkout, root, folder, runs.get(name, [])))
