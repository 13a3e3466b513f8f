#!/bin/sh
# allocations.sh: nobody uses what malloc and its like return without a question. In the runtime, checker, viewer and
# libraries a result goes through must() (cpudev_must.h), or is tested where it is taken or within the next lines, or is
# the function's own result.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP allocations: for the CPU device"; exit 0; }
. cpudevice/tests/harness/result.sh

cat >"$work/unasked.awk" <<'AWK'
function look(file, last,    k, i, before, name, ahead) {
    for (k = 1; k <= last; k++) {
        before = line[k]
        if (!sub(/[^a-z_.>](malloc|calloc|realloc|strdup|strndup|aligned_alloc)\(.*/, "&", before)) continue
        before = substr(line[k], 1, match(line[k], /[^a-z_.>](malloc|calloc|realloc|strdup|strndup|aligned_alloc)\(/))
        if (before ~ /must\($|\/\/|\/\*|"|(!|&& )\([^()]*= (\([a-z_ ]*\*\))?$|return [^;]*$/) continue
        name = before
        sub(/ *= *(\([a-z_ ]*\*\)|[^;=,]*[?:] )?$/, "", name)
        sub(/.*[ (!,]/, "", name)
        sub(/^\*+/, "", name)
        gsub(/[][.*>()+-]/, "\\\\&", name)
        ahead = ""
        for (i = k; i < k + 7 && i <= last; i++) ahead = ahead line[i] "\n"
        if (name != "" && ahead ~ ("!\\*?" name "[^a-z_0-9[.-]|[^a-z_.>]\\*?" name "( \\?| &&)|(if \\(|&& |\\|\\| )\\*?" name "[ ;)]|return " name ";")) continue
        print file ":" k ": " line[k]
    }
}
FNR == 1 && NR > 1 { look(file, last) }
{ file = FILENAME; line[FNR] = $0; last = FNR }
END { look(file, last) }
AWK
unasked() { awk -f "$work/unasked.awk" "$@"; }

printf '%s\n' 'p->list = realloc(p->list, n);' 'p->list[0] = 1;' '*to = calloc(n, 1);' 'memset(*to, 0, n);' \
    'e = must(malloc(1));' 'if (!(f = malloc(1))) abort();' 'g = malloc(1);' 'if (!g)' ' abort();' 'h = x ? strdup(x) : 0;' \
    'h[0] = 1;' >"$work/sample.c"
[ "$(unasked "$work/sample.c" | sed 's/.*sample.c:\([0-9]*\).*/\1/' | tr '\n' ' ')" = '1 3 10 ' ] 2>"$work/log"
result $? "what is used without a question is found"
unasked $(find cpudevice/runtime cpudevice/checker cpudevice/viewer cpudevice/libraries -name "*.[ch]") >"$work/log"
[ ! -s "$work/log" ]
result $? "every allocation's result is asked for"
exit $failed
