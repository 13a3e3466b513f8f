# functions.sh (make check does not run this): for the cases here.
# shellcheck shell=sh
any_device=yes

finds() { # LINE THREAD: a finding there
    [ -e "$work/report.json" ] || CUDA_CPU_REPORT=$work/report.json "$exe" || :
    grep "\"line\": $1," "$work/report.json" | grep -q "\"thread\": \[$2, 0, 0\]"
}

names() { # REPORT: of each finding its line, the memory's name, and the line where that was made
    sed -n 's/^ *at .*\.cu:\([0-9]*\)$/\1/p; s/^ *memory: \([^ ]*\): .*\.cu:\([0-9]*\)\(.*\)/\1 \2\3/p' "$1" | paste -d ' ' - -
}

brackets_match() { # JSON
    awk '{ s = $0; gsub(/\\./, "", s); n = gsub(/"/, "\"", s); if (n % 2) exit 1
           gsub(/"[^"]*"/, "", s); o = gsub(/[\[{]/, "", s); c = gsub(/[\]}]/, "", s); depth += o - c; if (depth < 0) exit 1 }
        END { exit depth != 0 }' "$1"
}
