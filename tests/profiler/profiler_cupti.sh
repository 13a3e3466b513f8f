#!/bin/sh
# profiler_cupti.sh: the profiler's CUPTI back end with no GPU: against a CUPTI of our own (tests/profiler/helpers/fake_cupti.c)
# that refuses in each known way, or delivers known records. Skipped where there is no CUDA Toolkit.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
dir=$(mktemp -d) failed=0
trap 'rm -rf "$dir"' EXIT
toolkit=$(tools/setup/device.sh --toolkit)
include= lib=
for i in "$toolkit/include" "$toolkit/extras/CUPTI/include"; do [ -n "$toolkit" ] && [ -f "$i/cupti.h" ] && include="-I$i -I$toolkit/include"; done
for l in "$toolkit/lib64" "$toolkit/lib"; do [ -n "$toolkit" ] && [ -e "$l/libcudart.so" ] && lib=$l; done
if [ -z "$include" ] || [ -z "$lib" ]; then
    echo "ok # SKIP the CUPTI back end: no CUDA Toolkit here"
    exit 0
fi

ok() { # DESCRIPTION, then a command that must succeed
    label=$1
    shift
    if "$@" >"$dir/ok.log" 2>&1; then echo "ok"; else
        failed=1 && echo "not ok"
        echo "FAILED: $label"
        sed 's/^/    /' "$dir/ok.log" | head
    fi
}
equal() { [ "$1" = "$2" ] || { echo "got: $1"; echo "expected: $2"; return 1; }; }
has() { grep -q -e "$1" "$2" || { echo "no '$1' in:"; cat "$2"; return 1; }; }

flags="-std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -DLAB_CUDA -Icommon $include"
# shellcheck disable=SC2086
{
    gcc -shared -fPIC $flags tests/profiler/helpers/fake_cupti.c -o "$dir/fake.so" &&
        gcc $flags tests/profiler/helpers/cupti_client.c common/profiler/*.c common/device/words.c -o "$dir/client" "-L$lib" "-Wl,-rpath,$lib" -lcudart -lstdc++ -ldl -lpthread -lm
} || {
    echo "not ok"
    exit 1
}
client() { PROFILER_CUPTI_LIBRARY=$dir/fake.so FAKE_CUPTI=$1 "$dir/client" ${2+"$2"} ${3+"$3"} >"$dir/out" 2>"$dir/err"; }

# ---- each refusal is one clear line
client busy
ok "another profiler: one line" equal "$(wc -l <"$dir/err")" 1
ok "another profiler: which says so" has 'profiler: another profiler is attached' "$dir/err"
client denied
ok "no permission: one line" equal "$(wc -l <"$dir/err")" 1
ok "no permission: which says so" has 'no permission to profile' "$dir/err"
client nodriver
ok "no driver" has 'no NVIDIA driver' "$dir/err"
client old
ok "too old" has 'older than' "$dir/err"
PROFILER_CUPTI_LIBRARY=$dir/none.so "$dir/client" >"$dir/out" 2>"$dir/err"
ok "not installed: one line" equal "$(wc -l <"$dir/err")" 1
ok "not installed: which says so" has 'profiler: no CUPTI' "$dir/err"

# ---- what it delivers arrives
client ok "$dir/trace.json"
ok "starts" has '^start 0 CUPTI$' "$dir/out"
ok "silent" equal "$(cat "$dir/err")" ""
ok "a runtime call, without its version" has '^cudaLaunchKernel,api,1,2.000,2.000,' "$dir/out"
ok "nor its stream suffix" has '^cudaMemcpyAsync,api,1,1.000,1.000,' "$dir/out"
ok "a driver call that does work" has '^cuLaunchKernel,api,1,1.000,' "$dir/out"
ok "and no query" equal "$(grep -c cuKernelGetName "$dir/out")" 0
ok "a kernel, demangled, not the one that had not ended" has '^"square(float\*, float const\*, int)",kernel,1,.*,5.000,5.000,5.000$' "$dir/out"
ok "a kernel launched by the driver's call" has '^triton_kernel,kernel,1,.*,5.000,' "$dir/out"
ok "a copy, with its places" has '^Memcpy DtoH (Device -> Pinned),memory,1,.*,50.000,' "$dir/out"
ok "a copy between devices" has '^Memcpy PtoP (Device -> Device),memory,1,' "$dir/out"
ok "a fill" has '^Memset (Device),memory,1,' "$dir/out"
ok "a migration" has '^Unified Memory Memcpy HtoD,memory,1,.*,3.000,' "$dir/out"
ok "the range has what was launched in it" has '^range,range,1,.*,60.000,60.000,60.000$' "$dir/out"
ok "a kernel's shape" has '"registers per thread":33,"static shared memory":4096,"dynamic shared memory":1024,"grid":\[3,1,1\],"block":\[128,2,1\]' "$dir/trace.json"
ok "a copy's speed" has '"bytes":1000000,"memory bandwidth (GB/s)":20.000' "$dir/trace.json"
ok "arrows" equal "$(grep -c '"ph":"f"' "$dir/trace.json")" 3

# ---- one side switched off
client ok "$dir/trace.json" u
ok "CUDA off: calls" has '^cudaLaunchKernel,api,1,' "$dir/out"
ok "CUDA off: no kernels" equal "$(grep -c ',kernel,' "$dir/out")" 0
client ok "$dir/trace.json" p
ok "CPU off: kernels" equal "$(grep -c ',kernel,' "$dir/out")" 2
ok "CPU off: no calls" equal "$(grep -c -e ',api,' -e ',range,' "$dir/out")" 0

[ $failed = 0 ]
