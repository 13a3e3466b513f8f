#!/bin/sh
# counts_recorded.sh [DEVICE]: tools/course.sh counts --check refuses a record with another figure, of another source, with a rung that
# is not counted, or that is missing, and takes the record as it is.
# shellcheck source=/dev/null
. "$(dirname "$0")/../harness/sandbox.sh"
needs_sandbox "${1:-cpu}" "recorded counts" bwrap --bind / / true
records=$PWD/results/cpu/counts record=lecture14-gemm_ceiling.csv

# says NAME VERDICT SCRIPT: of the record that the sed script makes of this one (no script: of none).
says() {
    rm -rf "$work/counts"
    cp -r "$records" "$work/counts"
    if [ -n "$3" ]; then sed "$3" "$records/$record" >"$work/counts/$record"; else rm "$work/counts/$record"; fi
    bwrap --bind / / --dev-bind /dev /dev --bind "$work/counts" "$records" tools/course.sh counts --check gemm_ceiling >"$work/said" 2>&1
    status=$?
    wanted=$2
    is "$1" 'grep -qx "$wanted" "$work/said" && case $wanted in "ok "*) [ $status = 0 ] ;; *) [ $status = 1 ] ;; esac'
}
refused="not ok - results/cpu/counts/$record"
again="(tools/course.sh counts gemm_ceiling)"
says "the record as it is" "ok - results/cpu/counts/$record" '#'
says "another figure" "$refused is not what is counted $again" 's/^\(3,bf16,[0-9]*\),1024,/\1,1025,/'
says "a rung too many" "$refused is not what is counted $again" '$ { p; s/^[0-9]*/9/; }'
says "another source" "$refused is of another source $again" 's/^\(# source: \)\(.\)/\1z\2/'
says "no record" "$refused is missing $again" ''
end_tests
