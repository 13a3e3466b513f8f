#!/bin/sh
# grading_unseen.sh [DEVICE]: an answer that uses the technique at the limits' shape alone fails, with the other shape's name, and
# one that uses it everywhere passes; the shape is drawn once for a folder of grades.
# shellcheck source=/dev/null
. "$(dirname "$0")/../harness/sandbox.sh"
needs_sandbox "${1:-cpu}" "a second shape" bwrap --unshare-all --ro-bind / / true
unset MAKEFLAGS MAKELEVEL
place=lecture03_cuda_basics/exercises
answer() { # NAME, and the answer on stdin
    mkdir -p "$work/class/$1/$place"
    cat >"$work/answer"
    awk -v answer="$work/answer" '/>>> answer/ { inside = 1; while ((getline line < answer) > 0) print line; next }
        /<<< answer/ { inside = 0; next }
        !inside && !/TODO\(ex/' solutions/lecture03_cuda_basics/ex01_index.cu >"$work/class/$1/$place/ex01_index.cu"
}
answer everywhere <<'A'
size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
A
answer there_only <<'A'
size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
for (unsigned k = 0; n != 4096 && k < 32; k++)
    if (threadIdx.x % 32 == k && i < n)
        y[i] = 2 * x[i] + 1;
i = n == 4096 ? i : n;
A
tools/grade -o "$work/grades" -e 3.1 "$work/class/everywhere" "$work/class/there_only" >"$work/out" 2>&1
shape=$(sed -n '1s/.* //p' "$work/grades/unseen/3.1")
is "a shape is drawn, as ragged as 4096, which it is not" '[ "$shape" -gt 4096 ] && [ $((shape % 32)) = 0 ]'
is "the technique everywhere passes" 'grep -q "^3.1 .*: passed" "$work/grades/students/everywhere.txt"'
is "the technique at 4096 alone fails" 'grep -q "at another shape, $shape: right numbers; but " "$work/grades/students/there_only.txt"'
rm -r "$work/grades/work"
tools/grade -o "$work/grades" -e 3.1 "$work/class/everywhere" >"$work/out" 2>&1
is "the shape stays for the next grades" '[ "$(sed -n "1s/.* //p" "$work/grades/unseen/3.1")" = "$shape" ]'
end_tests
