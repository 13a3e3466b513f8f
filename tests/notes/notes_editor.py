"""The editor's configuration: the tasks' commands, and the problem matchers against what cucc --check really says."""

import json
import re
import subprocess
import sys
import tempfile

from tap import check, said, skip, status

CONFIGURATION = (".vscode/tasks.json", ".vscode/settings.json", ".devcontainer/devcontainer.json")
PROGRAMS = ("lecture01_profiling/first/program.cu", "lecture05_shared_memory/first/rotate.cu")


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def task(label: str) -> dict:
    return next(task for task in tasks if task["label"] == label)


def wrong(program: str) -> str:
    """The program without its guard or its barrier."""
    lines = read(program).splitlines(keepends=True)
    return "".join(line for line in lines if "if (i < n)" not in line and "__syncthreads" not in line)


def finding_matches(says: str, patterns: list[dict]) -> bool:
    """Do the lines of the first finding match, and does the last give the file and the line?"""
    lines = says.splitlines()
    first = next((i for i, line in enumerate(lines) if re.search(patterns[0]["regexp"], line)), None)
    if first is None:
        return False
    found = [re.search(pattern["regexp"], line) for pattern, line in zip(patterns, lines[first:], strict=False)]
    last = found[-1]
    if len(found) < len(patterns) or not all(found) or last is None:
        return False
    return last[patterns[-1]["file"]].endswith("wrong.cu") and last[patterns[-1]["line"]].isdigit()


if sys.argv[1:] and sys.argv[1] != "cpu":
    skip("cucc --check is the CPU device's")
    sys.exit(0)
parsed = []
for name in CONFIGURATION:
    try:
        parsed.append(json.loads(read(name)))
    except ValueError as problem:
        check(f"{name} is JSON", False, problem)
        sys.exit(status())
check("the files are JSON", True)
tasks = parsed[0]["tasks"]
matchers = task("grade this exercise")["problemMatcher"]
patterns = next(m["pattern"] for m in matchers if m.get("owner") == "cucc-check")
check("the matcher has four patterns", len(patterns) == 4)
for program in PROGRAMS:
    with tempfile.TemporaryDirectory() as out:
        with open(f"{out}/wrong.cu", "w", encoding="utf-8") as file:
            file.write(wrong(program))
        built, says = said(["cpudevice/cucc", "--check", "-g", "-o", f"{out}/wrong", f"{out}/wrong.cu"])
        if built == 0:
            says = subprocess.run([f"{out}/wrong"], capture_output=True, text=True, check=False).stderr
        what = f"the four lines of a finding in {program} without its guard or barrier match, and name file and line"
        check(what, built == 0 and finding_matches(says, patterns), says)
command = task("grade this exercise")["command"].replace("./run", "echo", 1)
file_name = "lecture05_shared_memory/exercises/ex07_online.cu"
ran, says = said(["sh", "-c", command.replace("${relativeFile}", file_name)])
check("the task that grades finds the exercise's number", ran == 0 and says == "5.7\n", says)
sys.exit(status())
