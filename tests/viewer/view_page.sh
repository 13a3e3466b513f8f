#!/bin/sh
# view_page.sh [DEVICE [PART]]: the viewer's page (CUDA_CPU_VIEW) in Chromium, through Playwright: tests/viewer/page.py says what of
# it, and has the names of its parts. view_page.sh labs: the same for lectures' labs, whose counts must be the counters', and what
# recording costs.
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/harness
cd "$(dirname "$0")/../.." || exit 2
python=
for p in build/browser/bin/python python3; do
    if [ -z "$python" ] && $p -c 'import playwright.sync_api' 2>/dev/null; then python=$p; fi
done
[ -n "$python" ] || { echo "ok # SKIP the viewer's page in a browser: python3 has no playwright (tools/setup/need.sh browser installs it)"; exit 0; }
out=build/cpu/tests/view
mkdir -p $out
. cpudevice/tests/harness/build_kept.sh
if [ "${1-}" != labs ]; then
    for program in planted small; do
        build_kept $out/$program tests/viewer/$program.cu '--check -g' || { echo "not ok - $program builds"; exit 1; }
    done
    exec $python tests/viewer/page.py $out planted $out ${2:+"$2"}
fi
three=build/check/lecture03_cuda_basics five=build/check/lecture05_shared_memory
make -s --no-print-directory DEVICE=cpu $three/square_grid $five/transpose $five/matmul $five/reduction $five/stencil >$out/make.log 2>&1 ||
    { cat $out/make.log; echo "not ok - the labs build"; exit 1; }
$python tests/viewer/cost.py $out "$five/transpose --rung 3 --verify --size 2048x1024" "$five/stencil --rung 2 --verify --size 500000"
cost=$?
$python tests/viewer/page.py $out "$five/transpose --rung 1" "$five/transpose --rung 2" "$five/transpose --rung 3" \
    "$five/transpose --rung 4" "$five/matmul --rung 3" "$five/reduction" "$five/stencil" "$three/square_grid" && exit $cost
