#!/bin/sh
# doctor.sh: what is here, what is missing, and the command that gets it. Exit status 0: the course can be built.
# In Chinese where COURSE_LANG, else LANG, asks for it.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
missing=0
. tools/setup/say.sh
have() { printf '  %-18s %s\n' "$1" "$2"; }
lacks() { printf '  %-18s %s%s\n' "$1" "$(say "missing: " "没有：")" "$2"; }
first() { "$@" 2>/dev/null | head -1; }
get() { if [ "$(id -u)" = 0 ]; then echo "apt-get install $1"; else echo "sudo apt-get install $1"; fi; }

heading() { say "$1" "$2" && echo; }

heading "needed" "必需"
for tool in git make gcc g++; do
    if command -v $tool >/dev/null 2>&1; then have $tool "$(first $tool --version)"; else lacks $tool "$(get $tool)"; missing=1; fi
done

heading "for a GPU" "用于 GPU"
toolkit=$(tools/setup/device.sh --toolkit)
if [ -n "$toolkit" ]; then
    release=$("$toolkit/bin/nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
    work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT || exit 2
    echo '__global__ void k(int *x) { *x = 1; }' >"$work/k.cu"
    if "$toolkit/bin/nvcc" -cubin -o "$work/k.cubin" "$work/k.cu" >"$work/said" 2>&1; then
        have nvcc "$(say "$release in $toolkit, compiles" "$release，在 $toolkit，能编译")"
    else
        have nvcc "$(say "$release in $toolkit, but it does not compile: " "$release，在 $toolkit，但不能编译：")$(head -1 "$work/said")"
    fi
else
    lacks nvcc "$(say "install the CUDA Toolkit (developer.nvidia.com/cuda-downloads); without it the CPU device is used" \
        "请安装 CUDA Toolkit（developer.nvidia.com/cuda-downloads）；没有它就用 CPU 设备")"
fi
capability=$(tools/setup/device.sh --capability)
if [ -n "$capability" ]; then
    runs=$(nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p')
    driver="$(first nvidia-smi --query-gpu=driver_version --format=csv,noheader)${runs:+$(say ", runs CUDA $runs and before" "，能运行 CUDA $runs 及更早的版本")}"
    if [ -n "$runs" ] && [ -n "${release-}" ] && [ "${release%%.*}" -gt "${runs%%.*}" ]; then
        driver="$driver$(say ", but the toolkit is $release: update the driver, or install the toolkit $runs" \
            "，但工具包是 $release：请更新驱动，或安装工具包 $runs")"
    fi
    have driver "$driver"
    have GPU "$(first nvidia-smi --query-gpu=name --format=csv,noheader)$(say ", compute capability" "，计算能力") $capability: ARCH=$(tools/setup/device.sh --arch)"
else
    lacks GPU "$(say "none answers; labs run on the CPU device" "检测不到 GPU；实验在 CPU 设备上运行")"
fi
for lib in cublas cublasLt cusparse cupti; do
    f=$(ls "$toolkit"/lib64/lib$lib.so* "$toolkit"/extras/CUPTI/lib64/lib$lib.so* 2>/dev/null | head -1)
    if [ -n "$f" ]; then have "lib$lib" "$f"; else lacks "lib$lib" "$(say "comes with the CUDA Toolkit; what compares with it is skipped" "随 CUDA Toolkit 安装；与它比较的部分会跳过")"; fi
done
for tool in ncu nsys compute-sanitizer cuda-gdb; do
    if command -v $tool >/dev/null 2>&1; then have $tool "$(command -v $tool)"; else lacks $tool "$(say "comes with the CUDA Toolkit (./run --counters, --sanitize on a GPU)" "随 CUDA Toolkit 安装（GPU 上的 ./run --counters、--sanitize）")"; fi
done

heading "for the lessons in PyTorch and Triton" "用于 PyTorch 和 Triton 的各课"
python=$(tools/python/python.sh which 2>/dev/null) || python=$(command -v python3)
if [ -n "$python" ]; then "$python" tools/python/doctor.py "${runs-}"; else lacks Python "$(get "python3 python3-venv python3-dev")$(say ", then make python" "，然后 make python")"; fi

heading "for make site, slides and book (Chromium, below, for the book and the checks)" "用于 make site、slides 和 book（下面的 Chromium 用于 book 和检查）"
if ${PYTHON:-python3} -c 'import ensurepip, venv, sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null; then
    have Python "$(first "${PYTHON:-python3}" --version)$(say ", with venv" "，带 venv")"
else
    lacks Python "$(say "3.11 to 3.14 with venv: " "需要 3.11 到 3.14，带 venv：")$(get "python3 python3-venv")"
fi

heading "for make check, plots and editors" "用于 make check、绘图和编辑器"
if CHECK_ROOT='' tools/setup/need.sh check --libs >/dev/null && printf '#include <check.h>\n' | gcc -E - >/dev/null 2>&1; then
    have Check "$(first pkg-config --modversion check || say installed "已安装")"
else
    lacks Check "$(get check)$(say "  (make check does this itself where it may)" "（make check 在有权限时会自己安装）")"
fi
for pair in gnuplot:gnuplot-nox clang:clang cppcheck:cppcheck chromium:chromium; do
    tool=${pair%:*}
    if command -v $tool >/dev/null 2>&1; then
        have $tool "$(first $tool --version)"
    elif [ $tool = chromium ] && grep -q '^ID=ubuntu' /etc/os-release 2>/dev/null; then
        lacks $tool "$(get chromium | sed 's/apt-get/snap/')" # Ubuntu has it as a snap only
    else
        lacks $tool "$(get "${pair#*:}")"
    fi
done

heading "-arch for each generation" "各代 GPU 的 -arch"
sed "s/ (CUDA 12 and before)/$(say " (CUDA 12 and before)" "（CUDA 12 及更早）   ")/" <<'END'
  V100 sm_70 (CUDA 12 and before)   T4 sm_75     A100 sm_80      A10, RTX 30 sm_86
  L4, L40, RTX 40 sm_89             H100, H200, GH200 sm_90a     B200 sm_100a      RTX 50 sm_120
END
echo "$(say "this machine builds for: " "这台机器的编译目标：")$(tools/setup/device.sh)"
exit $missing
