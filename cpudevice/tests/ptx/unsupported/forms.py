"""forms.py: what ptxas refuses of inline PTX is refused, in its words, and nothing else: forms.txt has a form in each
line, its results, its operands, and ptxas's answer, 'ok' or its error.

    forms.py FOLDER           compares cucc with the table
    forms.py FOLDER --ptxas   compares nvcc and ptxas with it, where they are
"""

import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
PARAMETERS = (
    "unsigned u, unsigned v, unsigned long long l, float f, double d, unsigned short h, unsigned short h2, void *o"
)
SPECIAL = ("tid", "clock", "laneid")


def forms():
    with open(HERE / "forms.txt", encoding="utf-8") as table:
        return [[part.strip() for part in line.split(" # ")] for line in table]


def write_kernels(path):
    """A kernel for each form, in the line of the form in the table."""
    with open(path, "w", encoding="utf-8") as source:
        for number, (text, results, operands, _) in enumerate(forms()):
            for name in SPECIAL:
                text = text.replace("%" + name, "%%" + name)
            source.write(f"__global__ void k{number}({PARAMETERS}) {{ ")
            source.write(f'asm volatile("{{.reg .pred p; {text} }}" : {results} : {operands}); ')
            source.write("*(float *)o = u + v + l + f + d + h + h2; }\n")


def answers_of_cucc(folder):
    command = [HERE.parent.parent.parent / "cucc", "-c", "-O0", "-o", "refused.o", "refused.cu"]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stderr
    return {int(line) - 1: error for line, error in reversed(re.findall(r"^refused.cu:(\d+): error: (.*)", said, re.M))}


def answers_of_ptxas(folder):
    subprocess.run(
        ["nvcc", "-arch=sm_90", "-ptx", "-o", "refused.ptx", "refused.cu"], cwd=folder, check=False, capture_output=True
    )  # nvcc runs ptxas, too, and fails
    said = subprocess.run(
        ["ptxas", "-arch=sm_90", "-o", "refused.o", "refused.ptx"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    ).stderr
    kernel, kernels = -1, []
    for line in (folder / "refused.ptx").read_text().split("\n"):
        found = re.search(r"\.entry _Z\d+k(\d+)j", line)
        kernel = int(found[1]) if found else kernel
        kernels.append(kernel)
    found = re.findall(r"line (\d+); error *: (.*)", said)
    return {kernels[int(line) - 1]: error for line, error in reversed(found)}


def main(folder, *options):
    ptxas = "--ptxas" in options
    if ptxas and not (shutil.which("nvcc") and shutil.which("ptxas")):
        print("skip: no ptxas to compare the table with")
        return 0
    folder = pathlib.Path(folder)
    write_kernels(folder / "refused.cu")
    got = answers_of_ptxas(folder) if ptxas else answers_of_cucc(folder)
    wrong = [
        f"{' # '.join(form)}\n    but: {got.get(number, 'ok')}"
        for number, form in enumerate(forms())
        if got.get(number, "ok") != form[3]
    ]
    print("\n".join(wrong) if wrong else f"{len(forms())} forms")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
