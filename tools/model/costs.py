"""What each kind of expression costs in instructions, in nvcc's machine code.

    python3 tools/model/costs.py      writes cpudevice/include/cpudev_instruction_costs.h
    python3 tools/model/costs.py FILE KERNEL   prints how many instructions of each pipe a program's kernel has

Each kind is an expression of values a, b, c and d of one type. It is compiled alone for sm_90a, in a kernel that loads
its operands and stores its value. Its cost is what a warp issues there, but for loads, stores, and what the same kernel
issues without it, and how much of that each pipe executes. Where nvcc has a way for rare operands, the common one is
followed. It takes nvcc and nvdisasm (tools/setup/need.sh nvdisasm).

Which pipe executes an opcode: Nsight Compute's documentation ("Pipelines": integers and logic but for IMAD, and FP32 to
FP16, in ALU; special functions and conversions between int and float in XU; FP32 and IMAD in FMA). Opcodes that are not
in the list (branches, the uniform datapath, double) belong to no pipe here, nor do those that nvcc writes for either.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile

from instructions import ARCH, Code, kernels, path_of
from records import said

WRITTEN = "cpudevice/include/cpudev_instruction_costs.h"
TYPES = {"int": "int", "long": "long long", "float": "float", "double": "double"}
PIPES = {  # the opcodes that a pipe executes
    "alu": "BMSK F2FP FMNMX FSEL FSET FSETP I2FP IABS IADD3 IMNMX ISETP LEA LOP3 MOV P2R PLOP3 PRMT R2P SEL SGXT SHF "
    "VABSDIFF VIADD VIADDMNMX VIMNMX".split(),
    "fma": "FADD FFMA FMUL IDP IMAD".split(),
    "imad": "IDP IMAD".split(),  # of fma
    "xu": "BREV F2F F2I FLO FRND I2F MUFU POPC".split(),
}
WHOLE, REAL, ALL = ("int", "long"), ("float", "double"), tuple(TYPES)
MOVES = re.compile(r"(@!?U?P\d+ )?(LD|ST|NOP|EXIT|S2|CS2|ULDC|R2UR)")  # loads, stores, and what every kernel has

# kind: its expression in C, the types that it has
KINDS = {
    "add": ("a + b", ALL),
    "multiply": ("a * b", ALL),
    "divide": ("a / b", ALL),
    "remainder": ("a % b", WHOLE),
    "shift": ("a << (int)b", WHOLE),
    "bits": ("a & b", WHOLE),
    "compare": ("a < b ? c : 7", ALL),
    "select": ("a < b ? c : 7", ALL),
    "index": ("x[a]", WHOLE),
    "add_of_product": ("a * b + c", ALL),
    "add_of_add": ("a + b + c", ALL),
    "add_of_shift": ("(a << 3) + b", WHOLE),
    "bits_of_bits": ("(a ^ b) & c", WHOLE),
    "divide_by_constant": ("a / 7", ALL),
    "divide_by_power": ("a / 8", ALL),
    "remainder_by_constant": ("a % 7", WHOLE),
    "remainder_by_power": ("a % 8", WHOLE),
    "shift_by_constant": ("a << 3", WHOLE),
    "shift_right_by_constant": ("a >> 3", WHOLE),
    "to_int": ("(int)a", ALL),
    "to_long": ("(long long)a", ALL),
    "to_float": ("(float)a", ALL),
    "to_double": ("(double)a", ALL),
    "fabs": ("fabs{f}(a)", REAL),
    "fmax": ("fmax{f}(a, b)", REAL),
    "max": ("max(a, b)", ALL),
    "floor": ("floor{f}(a)", REAL),
    "rint": ("rint{f}(a)", REAL),
    "sqrt": ("sqrt{f}(a)", REAL),
    "rsqrt": ("rsqrt{f}(a)", REAL),
    "cbrt": ("cbrt{f}(a)", REAL),
    "exp": ("exp{f}(a)", REAL),
    "exp2": ("exp2{f}(a)", REAL),
    "expm1": ("expm1{f}(a)", REAL),
    "log": ("log{f}(a)", REAL),
    "log2": ("log2{f}(a)", REAL),
    "log1p": ("log1p{f}(a)", REAL),
    "sin": ("sin{f}(a)", REAL),
    "tan": ("tan{f}(a)", REAL),
    "tanh": ("tanh{f}(a)", REAL),
    "atan": ("atan{f}(a)", REAL),
    "erf": ("erf{f}(a)", REAL),
    "pow": ("pow{f}(a, b)", REAL),
    "fast_exp": ("__expf(a)", ("float",)),
    "fast_log": ("__logf(a)", ("float",)),
    "fast_sin": ("__sinf(a)", ("float",)),
    "fast_divide": ("__fdividef(a, b)", ("float",)),
    "population": ("__popc(a)", ("int",)),
    "leading_zeros": ("__clz(a)", ("int",)),
    "to_bf16": ("__bfloat16_as_ushort(__float2bfloat16(a))", ("float",)),
    "to_half": ("__half_as_ushort(__float2half(a))", ("float",)),
    "from_bf16": ("__bfloat162float(__ushort_as_bfloat16(a))", ("int",)),
    "from_half": ("__half2float(__ushort_as_half(a))", ("int",)),
}

MOST = 24  # multiply-adds of a condition's body that are tried
# A loop in whose body there is one store, and a condition in whose body there are so many multiply-adds
LOOP = "for (int i = 0; i < n; i++) *(volatile int *)q = n;"
SWITCH = "float v = 0; switch (op) { case 0: v = u * k; break; case 1: v = u + k; break; case 2: v = u - k; break; "
SWITCH += "case 3: v = k / u; break; case 4: v = u + 1; break; } *q = v;"
COPY = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) q[i] = p[i];"
COUNTED = 7  # of COPY: a load, a store, a product and a sum, a comparison, a branch, two addresses
BODY = "float v = x[0]; if (a > 0) {{ {} }} q[0] = (int)v;"
STEP = "v = v * v + 1.5f; "
PARTED = "float v = x[threadIdx.x]; if (v > 0) {{ {} }} q[threadIdx.x] = v;"  # lanes take either side


def source_of(name: str, expression: str, type_: str) -> str:
    text = expression.format(f="f" if type_ == "float" else "")
    given = f"const volatile {TYPES[type_]} *p, decltype({text.replace('x[a]', '0.0f')})"
    for letter in "abcd":
        given = re.sub(rf"\b{letter}\b(?=[^_]|$)", f"({TYPES[type_]})1", given)
    values = "".join(f"{TYPES[type_]} {letter} = p[{i}]; " for i, letter in enumerate("abcd"))
    return f'extern "C" __global__ void {name}({given} *q, const float *x) {{ {values}*q = {text}; }}\n'


def sources() -> str:
    text = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
    for kind, (expression, types) in KINDS.items():
        text += "".join(source_of(f"of_{kind}_{type_}", expression, type_) for type_ in types)
    text += "".join(source_of(f"of_nothing_{type_}", "a", type_) for type_ in ALL)
    text += f'extern "C" __global__ void of_loop(int *q, int n) {{ {LOOP} }}\n'
    text += f'extern "C" __global__ void of_switch(float *q, int op, float u, float k) {{ {SWITCH} }}\n'
    text += f'extern "C" __global__ void of_kernel(const int *p, int *q, int n) {{ {COPY} }}\n'
    text += f'extern "C" __global__ void of_branch(float *q, const float *x) {{ {PARTED.format(STEP * MOST)} }}\n'
    for count in range(1, MOST + 1):
        body = BODY.format(STEP * count)
        text += f'extern "C" __global__ void of_body_{count}(int *q, const float *x, int a) {{ {body} }}\n'
    return text


def opcode(text: str) -> str:
    return re.sub(r"^@!?U?P\d+ +", "", text)


def computing(code: Code) -> list[str]:
    """The instructions that a warp issues, but for loads, stores and what every kernel has."""
    return [text for text in path_of(code, 1) if not MOVES.match(text)]


def in_either(text: str) -> bool:
    """A move, a sum of two and a constant shift to the left: nvcc has each as an IMAD, too, and takes the pipe that has
    less to do."""
    name, *kinds = opcode(text).split()[0].split(".")
    return (
        name in ("MOV", "VIADD")
        or (name == "IMAD" and kinds[:1] in (["MOV"], ["SHL"], ["IADD"], ["VIADD"]))
        or (name == "IADD3" and "X" not in kinds and "RZ" in text)
        or (name == "SHF" and kinds[:1] == ["L"] and re.search(r", 0x[0-9a-f]+, RZ", text) is not None)
    )


def in_pipe(text: str, pipe: str) -> bool:
    """Conversions from and to double are in no pipe here: the model counts them by themselves."""
    name, *kinds = opcode(text).split()[0].split(".")
    of_double = name in ("F2F", "F2I", "I2F") and "F64" in kinds
    return name in PIPES[pipe] and not of_double and not in_either(text)


def counts(texts: list[str]) -> list[int]:
    """How many there are, and how many in each pipe."""
    return [len(texts), *(sum(in_pipe(text, pipe) for text in texts) for pipe in PIPES)]


def cost_of(kind: str, type_: str, code: dict[str, Code]) -> list[int]:
    texts = computing(code[f"of_{kind}_{type_}"])
    if kind == "compare":
        return counts([text for text in texts if "SETP" in opcode(text)])
    if kind == "select":
        return counts([text for text in texts if "SETP" not in opcode(text)])
    without = counts(computing(code[f"of_nothing_{type_}"]))
    return [max(0, many - few) for many, few in zip(counts(texts), without, strict=True)]


def price(cost: list[int]) -> str:
    """In the table: the zero alone where there is nothing."""
    return f"CPUDEV_PRICE({', '.join(map(str, cost))})" if any(cost) else "0"


def loop_cost(code: Code) -> int:
    """Instructions of a round beside its body: the store; rounded up, as nvcc puts several rounds into one."""
    place = {text: i for i, (kind, text) in enumerate(code) if kind == "label"}
    rounds = []
    for at, (_, text) in enumerate(code):
        branch = re.search(r"\bBRA\b.*`\((\.L_x_\d+)\)", text)
        if branch and place[branch[1]] < at:
            body = [text for kind, text in code[place[branch[1]] : at + 1] if kind == "instruction"]
            rounds.append((sum("ST" in opcode(text) for text in body), len(body)))
    stores, length = max(rounds)
    return -(-(length - stores) // stores)


def switch_cost(code: dict[str, Code]) -> int:
    """Up to the first case and from its end, without the product there."""
    return len(computing(code["of_switch"])) - len(computing(code["of_nothing_float"])) - 1


def branch_cost(code: Code) -> int:
    """Of a body that is branched past: the branch, and what brings lanes together again behind it."""
    return sum(opcode(text).startswith(("BRA", "BSSY", "BSYNC")) for text in path_of(code, 1))


def predicated(code: dict[str, Code]) -> int:
    """The longest body of a condition that nvcc does not branch past."""
    for count in range(1, MOST + 1):
        if any(text.startswith("@") and "BRA" in text for _, text in code[f"of_body_{count}"]):
            return count - 1
    return MOST


def compiled(source: str, folder: str) -> dict[str, Code]:
    cubin = os.path.join(folder, "costs.cubin")
    command = ["nvcc", "-w", "-O3", "-std=c++17", f"-arch={ARCH}", "-cubin", "-o", cubin, source]
    subprocess.run(command, check=True)
    return kernels(said("nvdisasm", "-c", cubin))


def main(asked: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        if asked:
            source, kernel = asked
            code = compiled(source, folder)
            print(*counts(computing(next(code[name] for name in code if kernel in name)))[1:])
            return 0
        source = os.path.join(folder, "costs.cu")
        with open(source, "w", encoding="utf-8") as file:
            file.write(sources())
        code = compiled(source, folder)
    with open(WRITTEN, "w", encoding="utf-8") as file:
        file.write("/* cpudev_instruction_costs.h: made by tools/model/costs.py: instructions that nvcc makes of an\n")
        file.write(f" * expression for {ARCH}, by its kind: of int, long long, float and double; 0: none.\n")
        file.write(
            " * CPUDEV_PRICE: all of them, and those in the pipes ALU and FMA, of the latter IMAD, and in XU. */\n"
        )
        file.write('#include "cpudev_pipes.h"\n/* clang-format off */\n#define CPUDEV_INSTRUCTIONS(X)')
        for kind, (_, types) in KINDS.items():
            costs = [cost_of(kind, type_, code) if type_ in types else [0] for type_ in TYPES]
            file.write(f" \\\n    X({kind}, {', '.join(map(price, costs))})")
        file.write("\n\n/* Of a round of a loop that is unrolled, beside its body; of a kernel and of a switch,\n")
        file.write(" * beside what is in them; of a branch that lanes may take or not; and the longest body of a\n")
        file.write(" * condition that is not branched past. */\n")
        file.write("enum {\n")
        file.write(f"    CPUDEV_OF_LOOP = {loop_cost(code['of_loop'])},\n")
        file.write(f"    CPUDEV_OF_KERNEL = {len(path_of(code['of_kernel'], 1)) - COUNTED},\n")
        file.write(f"    CPUDEV_OF_SWITCH = {switch_cost(code)},\n")
        file.write(f"    CPUDEV_OF_BRANCH = {branch_cost(code['of_branch'])},\n")
        file.write(f"    CPUDEV_PREDICATED = {predicated(code)}\n}};\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
