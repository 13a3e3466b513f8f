#!/bin/sh
# abi.sh: what compiled kernels and our headers call in the runtime and the checker is declared once, in cpudev_abi.h, which
# both sides include, so that the compiler compares declarations with definitions.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP abi: for the CPU device"; exit 0; }
. cpudevice/tests/harness/result.sh
cc=${CUCC_CC:-gcc} cxx=${CUCC_CXX:-g++} abi=cpudevice/include/cpudev_abi.h

echo '#include "cpudev_abi.h"' | tee "$work/alone.c" >"$work/alone.cpp"
"$cc" -std=c11 -pedantic -Wall -Wextra -Werror -Icpudevice/include -fsyntax-only "$work/alone.c" >"$work/log" 2>&1
result $? "cpudev_abi.h alone is C11"
"$cxx" -std=c++14 -Wall -Wextra -Werror -Icpudevice/include -fsyntax-only "$work/alone.cpp" >"$work/log" 2>&1
result $? "cpudev_abi.h alone is C++"

# Functions cpudev_*: "declared NAME FILE" or "defined NAME FILE", by what ends the text that begins in the first column.
functions() {
    find "$@" -name '*.[ch]' -o -path '*/include/*' -type f | tr "\n" "\0" | xargs -0 awk '
        FNR == 1 { text = ""; depth = 0 }
        { sub(/\/\/.*/, ""); gsub(/\/\*[^*]*\*\//, "") }
        /^#/ || /^ *\*/ || /^ *\/\*/ { next }
        depth == 0 && text == "" && /^[a-zA-Z_]/ { begins = $0; sub(/^(extern )?"C" /, "") }
        depth == 0 && (text != "" || /^[a-zA-Z_]/) { text = text " " $0 }
        text != "" && match(text, /[;{]/) {
            head = substr(text, 1, RSTART)
            if (head !~ /[=}]|static|inline|CPUDEV_|template|typedef|alias|__asm__/ && match(head, /[ *]cpudev_[a-z0-9_]*\(/)) {
                name = substr(head, RSTART + 1, RLENGTH - 2)
                print (head ~ /;$/ ? "declared" : "defined"), name, FILENAME
            }
            text = ""
        }'
}
functions cpudevice/include cpudevice/runtime cpudevice/checker cpudevice/viewer cpudevice/libraries >"$work/functions"
# The C library's <assert.h> may come anywhere, so ours includes nothing; fibers are switched in assembly, or by a function.
grep '^declared' "$work/functions" | grep -v ' cpudev_assert_fail cpudevice/include/assert.h$\| cpudev_switch ' >"$work/declared"
[ "$(grep -c "$abi" "$work/declared")" -gt 100 ] 2>"$work/log"
result $? "cpudev_abi.h declares the functions ($(grep -c "$abi" "$work/declared"))"
grep '\.c$' "$work/declared" >"$work/log"
[ ! -s "$work/log" ]
result $? "no .c file declares such a function"
awk '{ print $2 }' "$work/declared" | sort | uniq -d >"$work/log"
[ ! -s "$work/log" ]
result $? "none is declared twice"
grep "^defined.*\.c$" "$work/functions" | awk 'FILENAME == ARGV[1] { declared[$2]; next } !($2 in declared) && $2 != "cpudev_switch" { print $2, $3 }' "$work/declared" - >"$work/log"
[ ! -s "$work/log" ]
result $? "each that is defined is declared in a header"
grep -rln '#include "[^"]*\(runtime\|checker\)/' cpudevice/include >"$work/log"
[ ! -s "$work/log" ]
result $? "no header of include/ includes one of the runtime or the checker"
exit $failed
