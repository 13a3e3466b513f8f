"""Exercises' wrong techniques against their solutions: does the model say that they are slower, where a GPU says so?

    python3 tools/model/techniques.py --measure    on a machine with a GPU: builds and times all of them with nvcc
    python3 tools/model/techniques.py              on the CPU device, with the model of the chip that was measured
    python3 tools/model/techniques.py 05/ex04      of these exercises; nothing is written
    python3 tools/model/techniques.py --summary    the table again, of what has run

A wrong technique is a mutant of an exercise's solution whose numbers are right and which the exercise's limits catch
(tests/mutants, "# caught by: limits"), and the exercise as it is handed out, where its numbers are right. Each of them
and the solution run at the shape of the CPU device and at a larger one. Writes results/h100/techniques.csv (or h200, as
the GPU is called), and results/cpu/model_NAME_techniques.csv with a summary. Exercises without a shape are left out:
their launches are of a few elements, or they are about what the host does.
"""

from __future__ import annotations

import argparse
import glob
import os
import re
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from records import gpu, is_input, records, said, today

BUILD = "build/techniques"
LIMIT_S = 1200
SLOWER = 1.05  # than its solution, and the middle halves of the times do not overlap: then the GPU says so
# Shapes that keep more of a GPU busy than the CPU device's do.
LARGER = {
    "01/ex06": "4194304",
    "01/ex07": "4194304",
    "01/ex10": "4194304",
    "01/ex11": "4194304",
    "03/ex01": "1048576",
    "03/ex02": "1048577",
    "03/ex03": "1048576",
    "03/ex04": "1200x801",
    "03/ex05": "1024x1024",
    "03/ex06": "1024x1024",
    "03/ex09": "256x256x64",
    "03/ex10": "262144",
    "03/ex11": "1048576",
    "05/ex01": "4194304",
    "05/ex02": "512x512x256",
    "05/ex03": "512x8192",
    "05/ex04": "2048x2048",
    "05/ex05": "4194304",
    "05/ex06": "512x8192",
    "05/ex07": "1024x1024",
    "05/ex08": "4194304",
    "05/ex09": "4096x256",
    "05/ex10": "1048576",
    "05/ex11": "1024x1024",
    "05/ex12": "512x4096",
    "05/ex13": "512x8192",
    "05/ex14": "1024x1024",
    "05/ex15": "2048x1536",
    "11/ex01": "4096x1024",
    "11/ex02": "524288",
    "11/ex03": "524288",
    "11/ex04": "2048x1024",
    "11/ex06": "524288",
    "11/ex07": "512x512x256",
    "11/ex09": "32768",
    "11/ex10": "1024x1024",
    "11/ex16": "524288",
    "14/ex02": "512x512x128",
    "14/ex03": "512x512x128",
    "14/ex05": "512x512x128",
    "14/ex06": "512x512x64",
    "14/ex07": "16x512x2048",
    "14/ex08": "512",
    "14/ex09": "512",
    "14/ex10": "1024x16",
    "14/ex11": "1024x1024",
    "14/ex16": "512x4096",
    "14/ex19": "4194304",
    "14/ex22": "512",
    "14/ex23": "524288x8",
    "14/ex24": "32x2000",
    "14/ex25": "32768x16",
}


class Variant(NamedTuple):
    exercise: str  # "05/ex04"
    technique: str  # "solution", "stub" or the mutant's name
    file: str  # the source
    sizes: list[str]

    @property
    def program(self) -> str:
        return f"{BUILD}/{self.exercise.replace('/', '-')}-{self.technique}"


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def variants(asked: list[str]) -> list[Variant]:
    """All of them, as sources in BUILD. An exercise's solution is the first of its own."""
    os.makedirs(BUILD, exist_ok=True)
    found = []
    for folder in sorted(glob.glob("tests/mutants/lecture*/ex*")):
        lecture, name = folder.split("/")[-2:]
        exercise = f"{lecture[7:9]}/{name[:4]}"
        mutants = [path for path in sorted(glob.glob(f"{folder}/*.sed")) if "# caught by: limits" in read(path)]
        solution = f"solutions/{lecture}/{name}.cu"
        shape = re.search(r'\.cpu_size = "([^"]*)"', read(solution))
        if not mutants or not shape or (asked and exercise not in asked):
            continue
        sizes = [shape[1], *([LARGER[exercise]] if exercise in LARGER else [])]
        sources = {"solution": solution, "stub": f"{lecture}/exercises/{name}.cu"}
        sources |= {os.path.basename(path)[:-4]: path for path in mutants}
        for technique, path in sources.items():
            one = Variant(exercise, technique, f"{BUILD}/{exercise.replace('/', '-')}-{technique}.cu", sizes)
            text = read(path)
            if path.endswith(".sed"):
                text = subprocess.run(["sed", "-f", path, solution], check=True, capture_output=True, text=True).stdout
            if not os.path.exists(one.file) or read(one.file) != text:
                with open(one.file, "w", encoding="utf-8") as file:
                    file.write(text)
            found.append(one)
    return found


def built(one: Variant, command: list[str], library: str) -> bool:
    """Is the program there? It is built if it is older than its source."""
    if os.path.exists(one.program) and os.path.getmtime(one.program) > os.path.getmtime(one.file):
        return True
    words = [*command, "-Icommon", one.file, library, "-o", one.program, "-ldl", "-lpthread", "-lm"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"techniques: {one.exercise} {one.technique} does not build: {done.stderr[:400]}", file=sys.stderr)
    return done.returncode == 0


# ---- on a GPU --------------------------------------------------------------------------------------------------------


def times_of(one: Variant) -> list[str]:
    """Lines of the record: each rung's median and quartiles. None where the numbers are wrong."""
    told = f"{one.program}.csv"
    words = [one.program, "--size", " ".join(one.sizes), "--ladder-only", "--no-vendor", "--csv", told]
    try:
        subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=30, check=True)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return []
    return [
        f"{one.exercise},{one.technique},{row['rung']},{row['size']},{row['time_ms']},{row['q1_ms']},{row['q3_ms']}\n"
        for row in records(told)
        if row.get("check") == "ok"
    ]


def measure(all_of: list[Variant], jobs: int) -> None:
    arch = said("tools/setup/device.sh", "--arch")
    subprocess.run(["make", "-s", f"-j{jobs}", "DEVICE=cuda", "build/cuda/libcourse.a"], check=True)
    command = ["nvcc", "-O3", "-std=c++17", f"-gencode=arch=compute_{arch},code=sm_{arch}"]
    command += ["-Xcompiler", "-fopenmp", "-DLAB_CUDA"]
    with ThreadPoolExecutor(jobs) as pool:
        ready = list(pool.map(lambda one: built(one, command, "build/cuda/libcourse.a"), all_of))
    name, folder = gpu()
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/techniques.csv", "w", encoding="utf-8") as file:
        file.write(f"# device: {name}\n{today()}")
        file.write("# command: python3 tools/model/techniques.py --measure\n")
        file.write("exercise,technique,rung,size,time_ms,q1_ms,q3_ms\n")
        for one, there in zip(all_of, ready):
            file.writelines(times_of(one) if there else [])
            file.flush()


# ---- what was measured -----------------------------------------------------------------------------------------------

Times = tuple[float, float, float]


def measured(chip: str) -> dict[tuple[str, str, str], Times]:
    """Microseconds of all rungs: the median and the quartiles."""
    times: dict[tuple[str, str, str], Times] = {}
    path = f"results/{chip}/techniques.csv"
    for row in records(path) if os.path.exists(path) else []:
        key = (row["exercise"], row["technique"], row["size"])
        before = times.get(key, (0.0, 0.0, 0.0))
        now = [1e3 * float(row[name]) for name in ("time_ms", "q1_ms", "q3_ms")]
        times[key] = (before[0] + now[0], before[1] + now[1], before[2] + now[2])
    return times


def slower(technique: Times, solution: Times) -> bool:
    return technique[0] > SLOWER * solution[0] and technique[1] > solution[2]


# ---- on the CPU device -----------------------------------------------------------------------------------------------


def model_of(one: Variant, size: str, chip: str) -> str:
    """A line of what has run: the time of all launches in microseconds, and what limits the longest; else why not. ''
    where this machine takes too long."""
    told = f"{one.program}-{size}.csv"
    words = [one.program, "--verify", "--ladder-only", "--no-vendor", "--size", size]
    environment = {"CUDA_CPU_MODEL": chip, "CUDA_CPU_TOOLS": "counters", "CUDA_CPU_MODEL_CSV": told}
    start = f"{one.exercise},{one.technique},{size}"
    try:
        done = subprocess.run(
            words,
            env=os.environ | environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        print(f"techniques: {start}: not done in {LIMIT_S} s", file=sys.stderr)
        return ""
    if done.returncode:
        return f"{start},,,{WRONG}"
    launches = [row for row in records(told) if not is_input(row)]
    without = next((row["note"] for row in launches if not row["cold_us"]), None)
    if without or not launches:
        return f"{start},,,{(without or 'it launches nothing').replace(',', ';')}"
    longest = max(launches, key=lambda row: float(row["cold_us"]))
    return f"{start},{sum(float(row['cold_us']) for row in launches):.3f},{longest['limiter']},"


WRONG = "its numbers are wrong"
HAVE = "exercise,technique,size,model_us,limiter,why_not"


def worth_it(all_of: list[Variant], chip: str) -> list[tuple[Variant, str]]:
    """The larger shapes at which the GPU says that a technique is slower, and those of its solution."""
    times, jobs = measured(chip), []
    solution = all_of[0]
    for one in all_of:
        if one.technique == "solution":
            solution = one
        for size in one.sizes[1:]:
            known = [times.get((one.exercise, technique, size)) for technique in (one.technique, "solution")]
            if known[0] and known[1] and slower(known[0], known[1]):
                jobs += [job for job in ((solution, size), (one, size)) if job not in jobs]
    return jobs


def simulate(all_of: list[Variant], chip: str, seconds: float, jobs: int) -> list[dict[str, str]]:
    """What has run, and what is run now: the smaller shapes first. It is kept in BUILD, a line each."""
    kept = f"{BUILD}/model_{chip}.csv"
    if not os.path.exists(kept):
        with open(kept, "w", encoding="utf-8") as file:
            file.write(HAVE + "\n")
    have = {(row["exercise"], row["technique"], row["size"]) for row in records(kept)}
    command = ["cpudevice/cucc", "--model", "h100", "-g", "-O1", "-std=c++17", "-fopenmp", "-DLAB_CPU"]
    until = time.monotonic() + seconds

    def run(job: tuple[Variant, str]) -> None:
        one, size = job
        if time.monotonic() < until and built(one, command, "build/cpu/libcourse.a"):
            line = model_of(one, size, chip)
            if line:
                with open(kept, "a", encoding="utf-8") as file:
                    file.write(line + "\n")

    for todo in ([(one, one.sizes[0]) for one in all_of], worth_it(all_of, chip)):
        wrong = {(row["exercise"], row["technique"]) for row in records(kept) if row["why_not"] == WRONG}
        left = [job for job in todo if (*job[0][:2], job[1]) not in have and job[0][:2] not in wrong]
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(run, left))
    return records(kept)


class Compared(NamedTuple):
    exercise: str
    technique: str
    size: str
    solution_us: float
    technique_us: float
    model_solution_us: float
    model_technique_us: float
    limiter: str
    says_so: bool  # the GPU

    @property
    def right(self) -> bool:
        return self.model_technique_us > self.model_solution_us


def compare(all_of: list[Variant], chip: str, rows: list[dict[str, str]]) -> tuple[list[Compared], list[str]]:
    """The pairs, and why there is none of the others."""
    times = measured(chip)
    models = {(row["exercise"], row["technique"], row["size"]): row for row in rows}
    pairs, left_out = [], []
    for one in all_of:
        for size in one.sizes if one.technique != "solution" else []:
            known = [(one.exercise, technique, size) for technique in ("solution", one.technique)]
            named = f"{one.exercise} {one.technique} {size}"
            missing = [models[key]["why_not"] for key in known if key in models and not models[key]["model_us"]]
            if any(key not in models for key in known):
                left_out.append(f"{named}: not run")
            elif missing:
                left_out.append(f"{named}: {missing[0]}")
            elif any(key not in times for key in known):
                left_out.append(f"{named}: not measured on the GPU, or wrong there")
            else:
                solution, technique = times[known[0]], times[known[1]]
                says_so = slower(technique, solution)
                model = [float(models[key]["model_us"]) for key in known]
                limiter = models[known[1]]["limiter"]
                pairs.append(
                    Compared(one.exercise, one.technique, size, solution[0], technique[0], *model, limiter, says_so)
                )
    return pairs, left_out


def summary(title: str, pairs: list[Compared]) -> str:
    right = sum(pair.right for pair in pairs)
    share = f"{100 * right / len(pairs):.0f}" if pairs else ""
    ratios = [pair.technique_us / pair.solution_us for pair in pairs]
    models = [pair.model_technique_us / pair.model_solution_us for pair in pairs]
    median = [f"{statistics.median(some):.2f}" if some else "" for some in (ratios, models)]
    return f"{title},{len(pairs)},{right},{share},{median[0]},{median[1]}\n"


def write(chip: str, pairs: list[Compared], device: str) -> None:
    header = (
        f"# device: CPU device, model of the chip {chip}; measured on an {device}\n"
        f"{today()}# command: python3 tools/model/techniques.py --chip {chip}\n"
    )
    with open(f"results/cpu/model_{chip}_techniques.csv", "w", encoding="utf-8") as file:
        file.write(header)
        file.write("exercise,technique,size,solution_us,technique_us,model_solution_us,model_technique_us,limiter,")
        file.write("GPU: slower,model: slower\n")
        file.writelines(
            f"{p.exercise},{p.technique},{p.size},{p.solution_us:.3f},{p.technique_us:.3f},{p.model_solution_us:.3f},"
            f"{p.model_technique_us:.3f},{p.limiter},{'yes' if p.says_so else 'no'},{'yes' if p.right else 'no'}\n"
            for p in pairs
        )
    slower = [pair for pair in pairs if pair.says_so]
    with open(f"results/cpu/model_{chip}_techniques_summary.csv", "w", encoding="utf-8") as file:
        file.write(header)
        file.write("slower on the GPU,pairs,slower by the model,%,median slowdown on the GPU,")
        file.write("median slowdown by the model\n")
        file.write(summary("by more than 5 %", slower))
        file.write(summary("by more than 15 %", [p for p in slower if p.technique_us > 1.15 * p.solution_us]))
        file.write(summary("twice and more", [p for p in slower if p.technique_us >= 2 * p.solution_us]))
        file.write(summary("not by more than 5 %", [p for p in pairs if not p.says_so]))


def main() -> int:
    parser = argparse.ArgumentParser(description="exercises' wrong techniques against their solutions")
    parser.add_argument("exercises", nargs="*", metavar="LECTURE/exNN")
    parser.add_argument("--measure", action="store_true", help="time them on a GPU, with nvcc")
    parser.add_argument("--chip", choices=["h100", "h200"], default="h100")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no more runs after this long")
    parser.add_argument("--summary", action="store_true", help="summarize what has run; run nothing")
    parser.add_argument("--jobs", type=int, default=1, help="programs or compilers at once")
    asked = parser.parse_args()
    all_of = variants(asked.exercises)
    if asked.measure:
        measure(all_of, asked.jobs)
        return 0
    rows = simulate(all_of, asked.chip, 0 if asked.summary else asked.seconds, asked.jobs)
    record = f"results/{asked.chip}/techniques.csv"
    if not os.path.exists(record):
        print(f"techniques: {record} is not there: python3 tools/model/techniques.py --measure, on that GPU")
        return 1
    pairs, left_out = compare(all_of, asked.chip, rows)
    for line in left_out:
        print(f"left out: {line}")
    for pair in pairs:
        if pair.says_so and not pair.right:
            print(f"not slower by the model: {pair}")
    device = re.search(r"# device: (.*)", read(record))
    if not asked.exercises:
        write(asked.chip, pairs, device[1] if device else asked.chip)
    slower = [pair for pair in pairs if pair.says_so]
    print(f"{len(pairs)} pairs; slower on the GPU: {len(slower)}; by the model: {sum(p.right for p in slower)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
