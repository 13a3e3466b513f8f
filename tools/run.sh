#!/bin/sh
# run.sh: walks through the lecture last built, or runs one lab or exercise. See usage below.
export LC_ALL=C
set -u
cd "$(dirname "$0")/.." || exit 2

usage() {
    cat <<'END'
usage: ./run [lectureNN]        walk through a lecture's labs in teaching order (default: the lecture last built)
       ./run LAB [options]      run one lab, by its name or as lectureNN/LAB; options go to it
       ./run 3.1                build and grade exercise 1 of lecture 3; with options run it as a lab
       ./run --list             the labs of the lecture last built

  --step              wait for Enter between labs
  --device cpu|cuda   run on the CPU device, or on the GPU (default: what was built)
  --profile           print the profiler's table after the lab
  --trace FILE        write a Chrome trace (chrome://tracing, Perfetto)
  --sanitize          look for mistakes: cucc --check on the CPU device, compute-sanitizer on a GPU
  --counters          memory traffic as Nsight Compute counts it, by source line (on a GPU through ncu)
  --csv FILE          write the figures to FILE; in a walk-through FILE gets the lab's name before its suffix
  --plot              draw the figures with gnuplot (build/plots/), or as text where there is none
  --help              this text; ./run LAB --help tells a lab's own options
END
}
fail() { echo "run: $*" >&2; exit 2; }

lecture='' device='' lab='' step='' list='' sanitize='' counters='' csv='' plot=''
[ -f build/last ] && read -r lecture device <build/last

# Sorts the options into the runner's and the lab's; the lab's keep their order in "$@".
n=$#
while [ "$n" -gt 0 ]; do
    a=$1
    shift
    n=$((n - 1))
    value() { [ "$n" -gt 0 ] || fail "$a wants a value"; }
    case $a in
    --help | -h) if [ -z "$lab" ]; then usage; exit 0; else set -- "$@" --help; fi ;;
    --list) list=1 ;;
    --step) step=1 ;;
    --device) value; device=$1; shift; n=$((n - 1)) ;;
    --device=*) device=${a#*=} ;;
    --sanitize) sanitize=1 ;;
    --counters) counters=1 ;;
    --csv) value; csv=$1; shift; n=$((n - 1)) ;;
    --csv=*) csv=${a#*=} ;;
    --plot) plot=1 ;;
    --plot=*) set -- "$@" "$a" ;;
    -*)
        set -- "$@" "$a"
        # options with a separate value take it along
        case $a in --trace | --size | -s | --rung | --runs | --repeat | --seed | --image | --mnist) value; set -- "$@" "$1"; shift; n=$((n - 1)) ;; esac
        ;;
    *)
        if [ -z "$lab" ]; then lab=$a; else set -- "$@" "$a"; fi
        ;;
    esac
done

folder() { ls -d "$1" "$1"_* 2>/dev/null | head -1; } # lecture03 -> lecture03_cuda_basics
case $lab in
[0-9]*.[0-9]*)
    [ "$#$step$list$sanitize$counters$csv$plot" = 0 ] && DEVICE=${device:-auto} exec tools/exercises.sh run "$lab"
    file=$(tools/exercises.sh path "$lab") || exit 2
    lecture=${file%/*} lab=$(basename "$file" .cu)
    ;;
lecture[0-9]*/*)
    lecture=$(folder "${lab%%/*}") lab=${lab##*/}
    [ -n "$lecture" ] || fail "there is no such lecture (make help lists them)"
    ;;
lecture[0-9]*)
    lecture=$(folder "$lab")
    [ -n "$lecture" ] || fail "there is no $lab (make help lists the lectures)"
    lab=
    ;;
esac
if [ -n "$lab" ] && [ ! -f "$lecture/$lab.cu" ]; then
    other=$(ls lecture[0-9][0-9]_*/"$lab".cu 2>/dev/null | head -1)
    [ -n "$other" ] || fail "there is no lab '$lab' (./run lectureNN --list names a lecture's)"
    lecture=${other%%/*}
fi
[ -n "$lecture" ] || fail "no lecture has been built yet: make lecture01 (make help lists them)"
[ -n "$device" ] || device=$(tools/device.sh)
case $device in cpu | cuda) ;; *) fail "--device is cpu or cuda, not '$device'" ;; esac

# Builds the given targets, quietly unless it fails; says so where somebody waits and there is something to build.
build() {
    [ -t 2 ] && ! make -q --no-print-directory DEVICE="$device" "$@" >/dev/null 2>&1 && echo "building ..." >&2
    make -s --no-print-directory -j "$(nproc)" DEVICE="$device" "$@" >build/run.log 2>&1 || { cat build/run.log >&2; exit 1; }
}
mkdir -p build
if [ "$device" = cuda ]; then
    [ -n "$(tools/device.sh --toolkit)" ] || fail "no CUDA Toolkit here; --device cpu runs on the CPU device"
    [ -n "$(tools/device.sh --capability)" ] || fail "no GPU answers here; --device cpu runs on the CPU device"
fi

dir=build/$device/$lecture
labs=
for f in "$lecture"/*.cu; do
    [ -f "$f" ] && labs="$labs $(basename "$f" .cu)"
done
[ -n "$labs" ] || fail "$lecture has no labs yet"
if [ -n "$lab" ]; then build "$dir/$lab"; else build $(for l in $labs; do echo "$dir/$l"; done); fi

# "order name title" of every lab, in teaching order
about() { for l in $labs; do [ -x "$dir/$l" ] && "$dir/$l" --about; done | sort -n; }

if [ -n "$list" ]; then
    about | awk -F '\t' '{printf "%2d  %-18s %s\n", $1, $2, $3}'
    exit 0
fi

# run_lab NAME HEADING [options]: one lab, in the way that was asked for
run_lab() {
    name=$1 heading=$2
    shift 2
    [ -n "$heading" ] && set -- --heading "$heading" "$@"
    if [ -n "$csv" ]; then
        if [ -n "$lab" ]; then set -- "$@" --csv "$csv"; else set -- "$@" --csv "${csv%.csv}-$name.csv"; fi
    fi
    if [ -n "$plot" ]; then mkdir -p build/plots; set -- "$@" "--plot=build/plots/$name"; fi
    if [ -n "$sanitize" ]; then
        if [ "$device" = cuda ]; then
            command -v compute-sanitizer >/dev/null 2>&1 || fail "compute-sanitizer is not installed"
            bad=0 option=
            # a lab whose calls are meant to fail says so to the CPU device's checker too
            grep -q cpudev_expect_errors "$lecture/$name.cu" && option='--report-api-errors no'
            for tool in memcheck racecheck initcheck synccheck; do
                echo "compute-sanitizer --tool $tool"
                [ $tool = memcheck ] || option=
                compute-sanitizer --tool "$tool" --error-exitcode 99 $option "$dir/$name" --verify --small --no-vendor "$@" || bad=1
            done
            return $bad
        fi
        build "build/check/$lecture/$name"
        "build/check/$lecture/$name" --verify --small "$@"
    elif [ -n "$counters" ]; then
        if [ "$device" = cuda ]; then
            tools/counters.sh "$dir/$name" --verify "$@"
        else
            build "build/check/$lecture/$name"
            CUDA_CPU_TOOLS=counters "build/check/$lecture/$name" --verify "$@"
        fi
    else
        "$dir/$name" "$@"
    fi
}

if [ -n "$lab" ]; then
    run_lab "$lab" '' "$@"
    exit
fi

# The walk-through.
echo "$lecture $device" >build/last
first=$(echo $labs | cut -d ' ' -f 1)
title=$(sed -n '1s/^# *//p' "$lecture/README.md" 2>/dev/null)
device_line=$("$dir/$first" --device-line) || exit 1
"$dir/$first" "$@" --about >/dev/null || exit 2 # an option that one lab cannot read the others cannot either
printf '%s · %s\n' "$(echo "${title:-$lecture}" | sed 's/^Lecture/lecture/')" "$device_line"
in_order=$(about)
total=$(printf '%s\n' "$in_order" | wc -l) i=0 status=0
while IFS='	' read -r order name rest <&3; do
    i=$((i + 1))
    echo
    run_lab "$name" "$i/$total" "$@" || status=$?
    if [ -n "$step" ] && [ "$i" -lt "$total" ]; then
        printf '    [Enter] '
        read -r rest || step=
    fi
done 3<<END
$in_order
END
exit $status
