#!/bin/sh
# make check does not run this. Fuzzes cucc's compiler. usage: cpudevice/tests/fuzz/run.sh [SECONDS [CORPUS]]   (60 s; needs clang)
# What it finds is left as crash-*, timeout-* in build/fuzz/; it goes on after each.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
out=build/fuzz corpus=${2:-build/fuzz/corpus}
mkdir -p "$corpus"
command -v clang >/dev/null || { echo "fuzz: clang is not installed"; exit 77; }
clang -g -O1 -fsanitize=fuzzer,address -w -Dmain=compiler_main -Icpudevice/compiler -c cpudevice/compiler/main.c -o $out/main.o &&
	clang -g -O1 -fsanitize=fuzzer,address -w -o $out/compiler_fuzz -Icpudevice/compiler cpudevice/tests/fuzz/compiler_fuzz.c cpudevice/compiler/*/*.c $out/main.o || exit 77
for f in cpudevice/tests/mistakes/*/*.cu cpudevice/tests/*/*.cu lecture*/*.cu; do
	[ -e "$f" ] && head -c 8000 "$f" >"$corpus/$(echo "$f" | tr / _)"
done
printf '0# 1 "a.cu"\n__host__ __device__ int f(int x)\n{\nreturn x;\n# 8\n}\nint g()\n{\nreturn 1;\n}\n\001# 1 "a.cu"\n__host__ __device__ int f(int x)\n{\n# 6\nreturn -x;\n\n}\nint g()\n{\nreturn 2;\n}\nint h;\n' >"$corpus/host_and_device"
cd $out && ASAN_OPTIONS=detect_leaks=0 exec nice ./compiler_fuzz -fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 -max_total_time="${1:-60}" -timeout=60 -rss_limit_mb=3000 -max_len=8192 -dict=../../cpudevice/tests/fuzz/words.dict -print_final_stats=1 "$(cd ../.. && cd "$corpus" && pwd)"
