#!/bin/sh
# measure.sh FOLDER: on a machine with a GPU, every lesson in PyTorch and Triton and the lab cdist, verified and timed; the
# tables as CSV in FOLDER, what was printed in FOLDER/log, and which of them failed on the last lines.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
to=${1:?usage: measure.sh FOLDER}
mkdir -p "$to" || exit 2
to=$(cd "$to" && pwd)
. tools/setup/timed.sh
one() { # SECONDS NAME command...
    seconds=$1 name=$2
    shift 2
    timed "$seconds" "$name" "$to/$name.log" "$@"
}
# What nvcc and torch.compile need minutes for on one core is begun at once.
(timeout 100 make -s -j4 DEVICE=cuda build/cuda/lecture01_profiling/cdist >"$to/make.log" 2>&1) &
built=$!
for lesson in square profiler gelu gelu_peers kernels cdist load_inline cpp_extension; do
    [ -e "lecture01_profiling/pytorch/$lesson.py" ] && one 90 "lecture01-pytorch_$lesson" ./run "pytorch/$lesson" --csv "$to/lecture01-pytorch_$lesson.csv"
done
wait $built
one 60 lecture01-cdist build/cuda/lecture01_profiling/cdist --csv "$to/lecture01-cdist.csv"
for lesson in vector_copy grey softmax matmul attention; do
    [ -e "lecture14_tiling/triton/$lesson.py" ] && one 90 "lecture14-triton_$lesson" ./run "triton/$lesson" --csv "$to/lecture14-triton_$lesson.csv"
done
cat "$to"/*.log >"$to/log"
rm -f "$to"/*.log
echo "failed:${failed:- none}"
