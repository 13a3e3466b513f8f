# functions.sh (make check does not run this): for the cases here.
# shellcheck shell=sh
any_device=yes

# Runs the program under the counters; the counts are in $work/counts.csv, what it says of them in $work/table.
counted() {
    CUDA_CPU_TOOLS=counters CUDA_CPU_COUNTERS=$work/counts.csv "$exe" >"$work/out" 2>"$work/table" || { cat "$work/table"; return 1; }
}

# Of each launch a metric's values, as LAUNCH NAME VALUE: those whose names match, without what stands around the match.
metrics() { # BEFORE NAME AFTER: regular expressions
    sed -n "s/^\([0-9]*\),.*$1\($2\)$3,\([0-9.]*\)\$/\1 \2 \3/p" "$work/counts.csv"
}

compiler_is() { $cxx --version | head -n 1 | grep -q -e "$1"; } # clang, or ' 10.'

# The counts beside a record's, cpudevice/tests/records/NAME.csv, that is, beside Nsight Compute's on a GPU, and the comparison
# anew. clang and gcc 10 cannot tell what shared_stride2 loads twice from the shared array that it stores to between, and so
# load it twice.
as_recorded() { # NAME
    counted
    leave=none
    if compiler_is clang || compiler_is ' 10\.'; then leave='shared_stride2,l1tex__t_[a-z]*_pipe_lsu_mem_global_op_ld'; fi
    grep -v -e '^#' -e "^$leave" "cpudevice/tests/records/$1.csv" >"$work/recorded.csv"
    awk 'function q(s) { return "\"" s "\"" }
        BEGIN { print "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\"" }
        /^kernel,/ { next }
        { split($0, f, ","); name = f[2]; sub(/ \+ .*/, "", name); print q("1") "," q(f[1]) "," q(name) "," q(f[3]) }' \
        "$work/recorded.csv" >"$work/ncu.csv"
    $cc -O1 -o "$work/compare" "$folder/compare.c" -lm
    "$work/compare" "$work/ncu.csv" "$work/counts.csv" "$folder/explained.txt" >"$work/compared.csv"
    cut -d, -f1,3-6 "$work/recorded.csv" >"$work/a"
    cut -d, -f1,3-6 "$work/compared.csv" >"$work/b"
    diff "$work/a" "$work/b"
    [ "$(wc -l <"$work/b")" -gt 60 ]
}
