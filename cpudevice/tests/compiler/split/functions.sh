# functions.sh (make check does not run this): what became of a program's kernels, for the cases here.
# shellcheck shell=sh

# The kernels' names and how they run: submit_split, submit_simple or submit_general.
ways() { # [--check]
    $cucc -E -x cu -o "$work/$name.ii" "$case"
    build/cpu/cucc-compile "$@" <"$work/$name.ii" >"$work/$name.out"
    awk '{ while (match($0, /cpudev_tag>::k, "[A-Za-z_0-9]+"|submit_(simple|split|general)<cpudev_tag>\(/)) {
             found = substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH)
             if (found ~ /^cpudev/) { split(found, part, "\""); kernel = part[2] }
             else { sub(/<.*/, "", found); print kernel, found } } }' "$work/$name.out"
}

all() { # BEGINNING PATTERN [--check]: more than ten kernels' names begin so, and the line of each matches
    beginning=$1 pattern=$2
    shift 2
    ways "$@" | grep "^$beginning" >"$work/ways"
    cat "$work/ways"
    [ "$(wc -l <"$work/ways")" -gt 10 ] && [ "$(grep -vc "$pattern" "$work/ways")" = 0 ]
}

program() { # NAME OPTION...: builds it once
    [ -x "$work/$1" ] || (to=$work/$1; shift; $cucc "$@" -o "$to" "$case")
}

on_fibers() { # what the program prints on fibers, in $work/fibers.out
    program fibers --no-split
    "$work/fibers" >"$work/fibers.out"
}

finds() { # NAME: its findings' headings and places, sorted
    { "$work/$1" 2>&1 >"$work/said" || :; } | tee "$work/$1.err" | grep -E '^[a-z]+check: |^        at |memory: ' | sort
}
