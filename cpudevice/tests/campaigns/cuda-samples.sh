#!/bin/sh
# Builds and runs other people's CUDA programs with cucc, unmodified, and prints what works and what does not as a
# Markdown table: NVIDIA's cuda-samples; with --llmc llm.c's dev/cuda; with --files every .cu with a main below a
# directory. The programs are yours to fetch; nothing of them is kept. What a sample loads at run time (.fatbin, .ptx) is
# made beside its source, where it looks for it.
#
# usage: cpudevice/tests/campaigns/cuda-samples.sh [-o DIR] [-t SECONDS] [-I DIR] [--check] [--llmc | --files] CHECKOUT [PATTERN]
#   -o DIR       keep programs and logs there (default: build/cpu/samples)
#   -t SECONDS   the time a program may run (default: 120)
#   -I DIR       where --files looks for headers, beside .., include and ../include
#   --check      build with cucc --check, use small sizes where a sample takes them, and count what is found
#   PATTERN      only samples whose path contains it
#
# With --files a program whose functions are missing is built again with the files beside it, and in src, that have
# no main.
#
# A sample is run with the arguments that the checkout's own test_args.json gives it, once for each list there; those
# that draw are tried where that file has them compare with a file instead of opening a window.
#
# A sample passes when it builds, exits with 0 and prints no "FAILED". One that exits with 2 waives itself (it found
# that the device lacks something); one
# that ends with its usage wants arguments that nobody gave it. The reason given for a failure is the first thing the
# compiler or program said.
export LC_ALL=C
set -u

root=$(cd "$(dirname "$0")/../../.." && pwd)
out=$root/build/cpu/samples
limit=120
kind=samples
check=
include=
while [ $# -gt 0 ]; do
    case $1 in
    -o) out=$2; shift 2 ;;
    -t) limit=$2; shift 2 ;;
    -I) include="-I$(cd "$2" && pwd)"; shift 2 ;;
    --check) check=--check; shift ;;
    --llmc) kind=llmc; shift ;;
    --files) kind=files; shift ;;
    -h | --help) sed -n '2,22s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "$0: unknown option $1" >&2; exit 2 ;;
    *) break ;;
    esac
done
if [ $# -lt 1 ] || [ ! -d "$1" ]; then
    echo "$0: give the directory of a checkout" >&2
    exit 2
fi
checkout=$(cd "$1" && pwd)
pattern=${2:-}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cucc=$root/cpudevice/cucc

# A line of text as it may stand in a table cell.
cell() {
    tr '|\n\t' '/  ' | cut -c1-110 | sed 's/  */ /g; s/ $//'
}

# What the compiler or the program said first, without paths; if it names no error, what it said last.
reason() {
    said=$(grep -aE -m1 'error|Error|undefined reference|not supported|FAILED|Failed|cucc:|terminate|Segmentation' "$1")
    [ -n "$said" ] || said=$(grep -av '^ *$' "$1" | tail -1)
    printf '%s\n' "$said" | sed 's|[^ ]*/||g' | cell
}

# llm.c's programs check themselves, then time each kernel hundreds of times, which on a CPU is not worth the wait:
# they have passed when they say that all results match.
run_llmc() { # name directory program version
    log=$out/log/$1.run
    started=$(date +%s)
    : >"$log"
    (cd "$2" && exec $line_by_line "$3" "$4") >"$log" 2>&1 </dev/null &
    pid=$!
    while kill -0 $pid 2>/dev/null; do
        took=$(($(date +%s) - started))
        if grep -aq 'results match' "$log" || [ $took -ge "$limit" ]; then
            kill -9 $pid 2>/dev/null
            break
        fi
        sleep 1
    done
    wait $pid 2>/dev/null
    status=$?
    took=$(($(date +%s) - started))
    if grep -aqE 'results match' "$log"; then
        echo "passes|${took} s"
    elif [ $took -ge "$limit" ]; then
        echo "fails|not done after $limit s"
    else
        echo "fails|$(reason "$log"), exit $status"
    fi
}

# The smallest sizes that a sample of NVIDIA's documents in its help or its source.
small() { # name
    case $1 in
    matrixMul | globalToShmemAsyncCopy) echo "-wA=128 -hA=128 -wB=128 -hB=128" ;;
    reduction | threadFenceReduction) echo "--n=65536" ;;
    reductionMultiBlockCG) echo "--n=65536" ;;
    eigenvalues) echo "--matrix-size=256 --iters-timing=1" ;;
    transpose) echo "--dimX=64 --dimY=64" ;;
    FDTD3d) echo "--dimx=96 --dimy=96 --dimz=96 --radius=4 --timesteps=1" ;;
    UnifiedMemoryPerf) echo "-kernel-iterations=1" ;;
    SobolQRNG) echo "--vectors=1000 --dimensions=10" ;;
    p2pBandwidthLatencyTest) echo "--numElems=10000" ;;
    esac
}

run_one() { # name directory program arguments...
    name=$1
    where=$2
    shift 2
    started=$(date +%s)
    (cd "$where" && timeout "$limit" "$@") >"$out/log/$name.run" 2>&1 </dev/null
    status=$?
    took=$(($(date +%s) - started))
    if [ $status -ne 0 ] && head -c 300 "$out/log/$name.run" | grep -aqi '^ *usage'; then
        echo "waived|it wants arguments"
        return
    fi
    if [ $status -eq 0 ] && grep -aqE 'FAILED|Test failed|NOT OK|Result = FAIL' "$out/log/$name.run"; then
        status=1
    fi
    case $status in
    0) echo "passes|${took} s" ;;
    99) echo "$(grep -a '^cucc --check:' "$out/log/$name.run" | tail -1 | sed 's/cucc --check: //; s/ (.*//')|$(grep -aE '^[a-z]+check: ' "$out/log/$name.run" | sort | uniq -c | sort -rn | sed 's/^ *//' | tr '\n' ';' | cell)" ;;
    2) echo "waived|$(grep -aiE 'waiv|not support|requires|need' "$out/log/$name.run" | tail -1 | cell)" ;;
    124) echo "fails|not done after $limit s" ;;
    *) echo "fails|$(reason "$out/log/$name.run"), exit $status" ;;
    esac
}

# The samples' arguments of test_args.json: NAME|ARGUMENTS, a line for each run; NAME|skip.
test_arguments() {
    awk '
        /^    "[^"]*": *\{/ { split($0, part, "\""); name = part[2] }
        /"skip": *true/ { print name "|skip" }
        /"args": *\[/ { inside = 1; line = ""; sub(/.*\[/, "") }
        inside {
            while (match($0, /"[^"]*"/)) { line = line " " substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) (/\]/ ? "]" : "") }
            if (/\]/) { inside = 0; print name "|" substr(line, 2) }
        }' "$checkout/test_args.json" 2>/dev/null
}

# Runs with each list of arguments of the sample's; the first that fails is the result, else the sum of the times.
run_all() { # name directory program
    seconds=0
    while IFS= read -r arguments; do
        # shellcheck disable=SC2086 # some arguments
        ran=$(run_one "$1" "$2" "$3" $arguments)
        case $ran in
        passes*) ran=${ran#passes|} seconds=$((seconds + ${ran% s})) ;;
        *) echo "$ran"; return ;;
        esac
    done <<END
$(grep "^$1|" "$out/log/arguments" | cut -d '|' -f 2- | grep . || echo)
END
    echo "passes|$seconds s"
}

one() { # name directory "sources" "flags"
    name=$1
    where=$2
    sources=$3
    flags=$4
    # shellcheck disable=SC2086
    if (cd "$where" && if [ -f "$sources" ]; then set -- "$sources"; else set -- $sources; fi &&
        timeout 300 "$cucc" $check -O2 -std=c++17 -w $flags -o "$out/$name" "$@" -lm -lpthread) \
        >"$out/log/$name.build" 2>&1; then
        if [ -n "$check" ] && [ -n "$(small "$name")" ]; then
            run_one "$name" "$where" "$out/$name" $(small "$name")
        else
            run_all "$name" "$where" "$out/$name"
        fi
    else
        echo "does not build|$(reason "$out/log/$name.build")"
    fi
}

mkdir -p "$out/log"
line_by_line=
if command -v stdbuf >/dev/null 2>&1; then
    line_by_line="stdbuf -oL"
fi
passed=0
tried=0
waived=0
echo "| program | result | time, or reason |"
echo "| --- | --- | --- |"
report() { # name result
    echo "| $1 | ${2%%|*} | ${2#*|} |"
    tried=$((tried + 1))
    case $2 in
    passes*) passed=$((passed + 1)) ;;
    waived*) waived=$((waived + 1)) ;;
    esac
}

if [ $kind = llmc ]; then
    for file in "$checkout"/dev/cuda/*.cu; do
        name=$(basename "$file" .cu)
        case $name in *"$pattern"*) ;; *) continue ;; esac
        # Every numbered kernel that the program offers on its command line.
        versions=$(awk '/case [0-9]+:/ { sub(/.*case /, ""); sub(/:.*/, ""); if (!seen[$0]++) print }' "$file" | sort -n | tr '\n' ' ')
        if ! (cd "$checkout/dev/cuda" && timeout 300 "$cucc" -O3 -std=c++17 -w -o "$out/$name" "$name.cu" -lcublas -lcublasLt -lm) \
            >"$out/log/$name.build" 2>&1; then
            report "$name" "does not build|$(reason "$out/log/$name.build")"
            continue
        fi
        for version in ${versions:-1}; do
            report "$name $version" "$(run_llmc "$name.$version" "$checkout/dev/cuda" "$out/$name" "$version")"
        done
    done
elif [ $kind = files ]; then
    find "$checkout" -name '*.cu' | sort >"$out/log/list"
    while read -r file; do
        case $file in *"$pattern"*) ;; *) continue ;; esac
        grep -qE '(^|[^a-zA-Z_])main *\(' "$file" || continue
        name=$(basename "$(dirname "$file")")/$(basename "$file" .cu)
        log=$(printf '%s' "$name" | tr '/ ' '--')
        result=$(one "$log" "$(dirname "$file")" "$(basename "$file")" "-I.. -Iinclude -I../include $include")
        # What it lacks may stand in the files beside it that have no main of their own.
        if grep -qs 'undefined reference' "$out/log/$log.build"; then
            others=$(cd "$(dirname "$file")" && grep -LE '(^|[^a-zA-Z_])main *\(' -- *.cu *.cpp *.cc *.c src/*.cu src/*.cpp 2>/dev/null | grep -v ' ' | tr '\n' ' ')
            result=$(one "$log" "$(dirname "$file")" "$(basename "$file") $others" "-I.. -Iinclude -I../include $include")
        fi
        report "$name" "$result"
    done <"$out/log/list"
else
    test_arguments >"$out/log/arguments"
    for where in "$checkout"/Samples/*/*/; do
        where=${where%/}
        name=$(basename "$where")
        case $where in *"$pattern"*) ;; *) continue ;; esac
        [ -f "$where/CMakeLists.txt" ] || continue
        # The sources as CMake is told them: of the first add_executable that is not commented out.
        sources=$(awk '
            /^ *#/ { next }
            /add_executable\(/ && !done { inside = 1; sub(/.*add_executable\( *[^ )]+/, "") }
            inside { line = $0; if (line ~ /\)/) { sub(/\).*/, "", line); inside = 0; done = 1 } print line }
        ' "$where/CMakeLists.txt" | tr ' ' '\n' | grep -E '\.(cu|cpp|c)$' | tr '\n' ' ')
        graphics=
        [ -n "$sources" ] || sources=$(cd "$where" && ls ./*.cu ./*.cpp 2>/dev/null | tr '\n' ' ')
        case "$(cd "$where" && cat ./*.cu ./*.cpp ./*.h ./*.cuh 2>/dev/null | grep -aE '^ *# *include' | tr -d ' ' | tr '\n' ' ')" in
        *GLFW* | *EGL* | *vulkan* | *d3d* | *D3D* | *GLES*) report "$name" "not tried|draws through Vulkan, EGL or Direct3D" ; continue ;;
        *GL/* | *helper_gl*)
            if ! grep "^$name|" "$out/log/arguments" | grep -qv '|skip$'; then
                report "$name" "not tried|opens a window (OpenGL)"
                continue
            fi
            graphics="-lGL -lGLU -lglut"
            ;;
        *mpi.h*) report "$name" "not tried|needs MPI"; continue ;;
        *npp* | *nvjpeg* | *nvscibuf* | *boost* | *nvJitLink*) report "$name" "not tried|needs another library"; continue ;;
        esac
        flags="-I$checkout/Common $graphics"
        if [ -d "$where/inc" ]; then
            flags="$flags -Iinc"
        fi
        if grep -q OpenMP "$where/CMakeLists.txt"; then
            flags="$flags -Xcompiler -fopenmp"
        fi
        # -lcuda, -lcufft and the like, as CMake is told them
        for library in $(grep -v '^ *#' "$where/CMakeLists.txt" | grep -oE 'CUDA::[A-Za-z]+' | sed 's/CUDA:://; s/^cuda_driver$/cuda/' | sort -u); do
            flags="$flags -l$library"
        done
        # Headers that CMake lays beside the program, for what it compiles at run time.
        if grep -v '^ *#' "$where/CMakeLists.txt" | grep -q '/cooperative_groups.h'; then
            ln -sf "$root/cpudevice/include/cooperative_groups.h" "$root/cpudevice/include/cooperative_groups" "$where"
        fi
        # A kernel that the program loads: FILE64.fatbin or .ptx, which CMake has made of FILE.cu.
        for image in $(grep -v '^ *#' "$where/CMakeLists.txt" | grep -oE '[A-Za-z0-9_]+64\.(fatbin|ptx)' | sort -u); do
            "$cucc" $check "-${image##*.}" -O2 -w "-I$checkout/Common" -o "$where/$image" "$where/${image%64.*}.cu" >"$out/log/$name.image" 2>&1 ||
                rm -f "$where/$image"
        done
        report "$name" "$(one "$name" "$where" "$sources" "$flags")"
    done
fi
echo
echo "$passed of $tried pass, $waived waive themselves. $(date -u +%Y-%m-%d), $(g++ --version | head -1), $(uname -m)."
