#!/bin/sh
# doctor.sh: what is here, what is missing, and the command that gets it. Exit status 0: the course can be built.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
missing=0
have() { printf '  %-18s %s\n' "$1" "$2"; }
lacks() { printf '  %-18s missing: %s\n' "$1" "$2"; }
first() { "$@" 2>/dev/null | head -1; }
get() { if [ "$(id -u)" = 0 ]; then echo "apt-get install $1"; else echo "sudo apt-get install $1"; fi; }

echo "needed"
for tool in git make gcc g++; do
    if command -v $tool >/dev/null 2>&1; then have $tool "$(first $tool --version)"; else lacks $tool "$(get $tool)"; missing=1; fi
done

echo "for a GPU"
toolkit=$(tools/setup/device.sh --toolkit)
if [ -n "$toolkit" ]; then
    release=$("$toolkit/bin/nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
    work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 2
    echo '__global__ void k(int *x) { *x = 1; }' >"$work/k.cu"
    if "$toolkit/bin/nvcc" -cubin -o "$work/k.cubin" "$work/k.cu" >"$work/said" 2>&1; then
        have nvcc "$release in $toolkit, compiles"
    else
        have nvcc "$release in $toolkit, but it does not compile: $(head -1 "$work/said")"
    fi
else
    lacks nvcc "install the CUDA Toolkit (developer.nvidia.com/cuda-downloads); without it the CPU device is used"
fi
capability=$(tools/setup/device.sh --capability)
if [ -n "$capability" ]; then
    runs=$(nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p')
    driver="$(first nvidia-smi --query-gpu=driver_version --format=csv,noheader)${runs:+, runs CUDA $runs and before}"
    if [ -n "$runs" ] && [ -n "${release-}" ] && [ "${release%%.*}" -gt "${runs%%.*}" ]; then
        driver="$driver, but the toolkit is $release: update the driver, or install the toolkit $runs"
    fi
    have driver "$driver"
    have GPU "$(first nvidia-smi --query-gpu=name --format=csv,noheader), compute capability $capability: ARCH=$(tools/setup/device.sh --arch)"
else
    lacks GPU "none answers; labs run on the CPU device"
fi
for lib in cublas cublasLt cusparse cupti; do
    f=$(ls "$toolkit"/lib64/lib$lib.so* "$toolkit"/extras/CUPTI/lib64/lib$lib.so* 2>/dev/null | head -1)
    if [ -n "$f" ]; then have "lib$lib" "$f"; else lacks "lib$lib" "comes with the CUDA Toolkit; what compares with it is skipped"; fi
done
for tool in ncu nsys compute-sanitizer cuda-gdb; do
    if command -v $tool >/dev/null 2>&1; then have $tool "$(command -v $tool)"; else lacks $tool "comes with the CUDA Toolkit (./run --counters, --sanitize on a GPU)"; fi
done

echo "for the lessons in PyTorch and Triton"
python=$(tools/python/python.sh which 2>/dev/null) || python=$(command -v python3)
if [ -n "$python" ]; then "$python" tools/python/doctor.py "${runs-}"; else lacks Python "$(get "python3 python3-venv python3-dev"), then make python"; fi

echo "for make site, slides and book (Chromium, below, for the book and the checks)"
if ${PYTHON:-python3} -c 'import ensurepip, venv, sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null; then
    have Python "$(first "${PYTHON:-python3}" --version), with venv"
else
    lacks Python "3.11 to 3.14 with venv: $(get "python3 python3-venv")"
fi

echo "for make check, plots and editors"
if CHECK_ROOT='' tools/setup/need.sh check --libs >/dev/null && printf '#include <check.h>\n' | gcc -E - >/dev/null 2>&1; then
    have Check "$(first pkg-config --modversion check || echo installed)"
else
    lacks Check "$(get check)  (make check does this itself where it may)"
fi
for pair in gnuplot:gnuplot-nox clang:clang cppcheck:cppcheck chromium:chromium; do
    tool=${pair%:*}
    if command -v $tool >/dev/null 2>&1; then have $tool "$(first $tool --version)"; else lacks $tool "$(get "${pair#*:}")"; fi
done

cat <<'END'
-arch for each generation
  V100 sm_70 (CUDA 12 and before)   T4 sm_75     A100 sm_80      A10, RTX 30 sm_86
  L4, L40, RTX 40 sm_89             H100, H200, GH200 sm_90a     B200 sm_100a      RTX 50 sm_120
END
echo "this machine builds for: $(tools/setup/device.sh)"
exit $missing
