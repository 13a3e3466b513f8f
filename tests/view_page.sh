#!/bin/sh
# view_page.sh: the viewer's page (CUDA_CPU_VIEW) in Chromium, through Playwright: tests/view/page.py says what of it.
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2
python=
for p in build/browser/bin/python python3; do
    if [ -z "$python" ] && $p -c 'import playwright.sync_api' 2>/dev/null; then python=$p; fi
done
[ -n "$python" ] || { echo "ok # SKIP the viewer's page in a browser: python3 has no playwright (tools/need.sh browser installs it)"; exit 0; }
out=build/cpu/tests/view
mkdir -p $out
check=build/check
labs="lecture05_shared_memory/transpose lecture05_shared_memory/matmul lecture05_shared_memory/reduction
    lecture05_shared_memory/stencil lecture03_cuda_basics/square_grid"
for lab in $labs; do
    make -s --no-print-directory DEVICE=cpu $check/$lab >$out/make.log 2>&1 || { cat $out/make.log; echo "not ok - $lab builds"; exit 1; }
done
cpudevice/cucc --check -g -o $out/planted tests/view/planted.cu || { echo "not ok - the planted mistakes build"; exit 1; }
five=$check/lecture05_shared_memory
$python tests/view/page.py $out $out/planted "$five/transpose --rung 1" "$five/transpose --rung 2" "$five/transpose --rung 3" \
    "$five/transpose --rung 4" "$five/matmul --rung 2" "$five/reduction" "$five/stencil" "$check/lecture03_cuda_basics/square_grid"
