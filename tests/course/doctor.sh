#!/bin/sh
# doctor.sh: make doctor, with what a machine has and with a stripped PATH; driver, toolkit, PyTorch and Triton that do not fit together
# are made up. Says "ok" or "not ok" for each.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
bin=$out/bin
mkdir "$bin" "$out/site"
for tool in sh dirname readlink awk sed head id mktemp rm cat ls tr env cmp grep; do ln -s "$(command -v $tool)" "$bin/$tool"; done

# is STATUS TEXT WHAT [NAME=VALUE...]: the doctor's exit status with that PATH, and an extended regular expression that it prints
is() {
    want=$1 text=$2 what=$3
    shift 3
    env PATH="$bin" CUDA_HOME="$out/nowhere" "$@" tools/setup/doctor.sh >"$out/said" 2>&1
    status=$?
    if [ $status = "$want" ] && grep -Eq -- "$text" "$out/said"; then
        echo "ok $what"
    else
        echo "not ok $what: status $status, not $want, or it does not say '$text' but:"
        cat "$out/said"
    fi
}
is 1 '^  gcc +missing: (sudo )?apt-get install gcc$' "without gcc"
for tool in git make gcc g++; do [ -e "$bin/$tool" ] || ln -s "$(command -v $tool || command -v true)" "$bin/$tool"; done
is 0 '^  nvcc +missing: install the CUDA Toolkit' "without a toolkit"
is 0 '^  GPU +missing: none answers' "without a GPU"
is 0 '^  GPU +没有：检测不到 GPU' "in Chinese" COURSE_LANG=zh
lines=$(grep -c . "$out/said")
is 0 '^needed$' "in English though the system speaks Chinese" LANG=zh_CN.UTF-8 COURSE_LANG=en
[ "$(grep -c . "$out/said")" = "$lines" ] && echo "ok as many lines in both languages" || echo "not ok as many lines in both languages"
[ -e build/python/made ] || is 0 '^  Python +missing: (sudo )?apt-get install python3 python3-venv python3-dev, then make python$' "without Python"

printf '#!/bin/sh\ncase $* in *--version*) echo "Cuda compilation tools, release 13.0, V13.0.88" ;; *) exit ${NVCC_FAILS-0} ;; esac\n' >"$bin/nvcc"
printf '#!/bin/sh\ncase $* in *compute_cap*) echo 9.0 ;; *driver_version*) echo 550.54 ;; *name*) echo "NVIDIA H200" ;; *) echo "| CUDA Version: ${RUNS-12.4}  |" ;; esac\n' >"$bin/nvidia-smi"
chmod +x "$bin/nvcc" "$bin/nvidia-smi"
is 0 '^  nvcc +13\.0 in .*, compiles$' "a toolkit that compiles"
is 0 '^  nvcc +13\.0 in .*, but it does not compile' "a toolkit that does not" NVCC_FAILS=1
is 0 '^  driver +550\.54, runs CUDA 12\.4 and before, but the toolkit is 13\.0: update the driver' "a driver older than the toolkit"
is 0 '^  driver +550\.54, runs CUDA 13\.1 and before$' "a driver that fits" RUNS=13.1

# Packages as pip leaves them: a folder of metadata each, and a PyTorch that has what the doctor asks of it. -S hides the packages
# that this machine has.
if python3=$(command -v python3) && [ ! -e build/python/made ]; then
    printf '#!/bin/sh\nexec "%s" -S "$@"\n' "$("$python3" -c 'import sys; print(sys.executable)')" >"$bin/python3"
    chmod +x "$bin/python3"
    package() { # NAME VERSION [REQUIRES]
        mkdir -p "$out/site/$1-$2.dist-info"
        printf 'Metadata-Version: 2.1\nName: %s\nVersion: %s\n%s\n' "$1" "$2" "${3:+Requires-Dist: $3}" >"$out/site/$1-$2.dist-info/METADATA"
    }
    package torch 2.11.0 'triton==3.6.0; platform_system == "Linux"'
    package triton 3.5.0
    cat >"$out/site/torch.py" <<'PYTHON'
import os
class version: cuda = os.environ.get("TORCH_CUDA")
class cuda: is_available = staticmethod(lambda: bool(version.cuda))
class ones:
    def __init__(self, n, device="cpu"): self.n = n
    def square(self): return self
    def sum(self): return self
    def __float__(self): return float(self.n)
__version__ = "2.11.0"
PYTHON
    with=PYTHONPATH=$out/site
    is 0 '^  Triton +3\.5\.0, but this PyTorch wants 3\.6\.0: pip install triton==3\.6\.0$' "a Triton that does not fit" "$with"
    is 0 '^  PyTorch +2\.11\.0, without CUDA, computes; it does not see the GPU: install a wheel with CUDA' "a PyTorch without CUDA beside a GPU" "$with"
    is 0 '^  PyTorch +2\.11\.0, CUDA 13\.0, computes; the driver runs CUDA 12\.4 at most' "a PyTorch newer than the driver" "$with" TORCH_CUDA=13.0
    is 0 '^  PyTorch +2\.11\.0, CUDA 12\.8, computes, and on the GPU$' "a PyTorch that fits" "$with" TORCH_CUDA=12.8
    rm -r "$out/site/triton-3.5.0.dist-info"
    package triton 3.6.0
    is 0 '^  Triton +3\.6\.0, as this PyTorch wants it$' "a Triton that fits" "$with"
    is 0 '^  NumPy +missing: make python, or: pip install' "without NumPy" "$with"
else
    echo "ok # SKIP the doctor's Python: no python3 here, or make python has made its own"
fi
