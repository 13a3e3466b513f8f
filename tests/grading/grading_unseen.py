"""An answer that uses the technique at the limits' shape alone fails, with the other shape's name, and one that uses it
everywhere passes; the shape is drawn once for a folder of grades."""

import shutil
import sys

from sandbox import answered, grade, grades, hand_in, has, needs_sandbox, page, work
from tap import check, status

SOLUTION = "solutions/lecture03_cuda_basics/ex01_index.cu"
EVERYWHERE = "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
THERE_ONLY = """for (unsigned k = 0; n != 4096 && k < 32; k++)
    if (threadIdx.x % 32 == k && i < n)
        y[i] = 2 * x[i] + 1;
i = n == 4096 ? i : n;
"""


def drawn() -> int:
    return int((grades / "unseen/3.1").read_text().split("\n")[0].split()[-1])


needs_sandbox("a second shape")
hand_in(work / "everywhere", SOLUTION, answered(SOLUTION, [EVERYWHERE]))
hand_in(work / "there_only", SOLUTION, answered(SOLUTION, [EVERYWHERE + THERE_ONLY]))
_, said = grade("3.1", work / "everywhere", work / "there_only")
shape = drawn()
check("a shape is drawn, as ragged as 4096, which it is not", shape > 4096 and shape % 32 == 0, shape, said)
report = page("everywhere")
check("the technique everywhere passes", has(report, "^3.1 .*: passed"), report)
report = page("there_only")
check(
    "the technique at 4096 alone fails", has(report, f"at another shape, {shape}: right numbers; but "), shape, report
)
shutil.rmtree(grades / "work")
grade("3.1", work / "everywhere")
check("the shape stays for the next grades", drawn() == shape, drawn(), shape)
sys.exit(status())
