#!/bin/sh
# No circle between the files of a part (a folder with its rooms): NAME.c and NAME.h are one unit, and a unit that includes
# or calls another is above it.
#   sh tests/house/layers.sh cpu                     the folders below
#   sh tests/house/layers.sh arrows FOLDER [FLAGS]   a folder's arrows, a line each: FROM TO WHY
# What a file calls is what its object leaves undefined and another object of the folder defines.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
cc=${CUCC_CC:-gcc}

arrows() { # FOLDER FLAGS
    folder=$1
    shift
    objects=$(mktemp -d) || exit 2
    files=$(find "$folder" -name '*.[ch]' | sort)
    headers=$(printf '%s\n' $files | sed -n 's|.*/||; s/\.h$//p' | tr '\n' ' ')
    for file in $files; do
        awk -v room="$(basename "${file%.*}")" -v headers=" $headers" -F '"' '/^#include "[a-z_0-9\/]*\.[a-z]*"/ {
            to = $2; sub(/.*\//, "", to); sub(/\..*/, "", to)
            if (to != room && index(headers, " " to " ")) print room, to, "includes " $2 }' "$file"
    done
    printf '%s\n' $files | grep '\.c$' | xargs -P 2 -I {} sh -c 'o=$(basename "$1" .c).o; shift; exec "$@" -o "$0/$o"' "$objects" {} \
        "$cc" -O0 -w -I"$folder" "$@" -c {} || return 2
    (cd "$objects" && for o in *.o; do nm -P "$o" | sed "s/^/${o%.o} /"; done) >"$objects/symbols"
    awk '
        $3 == "U" || $3 == "w" { needs[$1 " " $2] }
        $3 ~ /^[A-TVWX-Z]$/ { room[$2] = $1 }
        END { for (n in needs) { split(n, p, " "); if (p[2] in room && room[p[2]] != p[1]) print p[1], room[p[2]], "calls " p[2] } }' \
        "$objects/symbols"
    [ -z "${defined-}" ] || awk '$3 ~ /^[BDRTVW]$/ { print $2 }' "$objects/symbols" >>"$defined"
    rm -rf "$objects"
}

# Prints a circle, a line for each of its arrows, and fails; or prints nothing.
circle() {
    sort | awk '
        !(($1, $2) in why) { why[$1, $2] = $3 " " $4; to[$1] = to[$1] " " $2; from[$1] }
        function visit(room, depth,    next_rooms, n, i, k) {
            path[depth] = room; on_path[room] = depth + 1
            n = split(to[room], next_rooms, " ")
            for (i = 1; i <= n && !found; i++)
                if (on_path[next_rooms[i]]) {
                    for (k = on_path[next_rooms[i]] - 1; k <= depth; k++) {
                        other = k < depth ? path[k + 1] : next_rooms[i]
                        print "# " path[k] " " why[path[k], other] " of " other
                    }
                    found = 1
                } else if (!(next_rooms[i] in seen))
                    visit(next_rooms[i], depth + 1)
            on_path[room] = 0; seen[room]
        }
        END { for (room in from) if (!found && !(room in seen)) visit(room, 0); exit found }'
}

if [ "${1-}" = arrows ]; then
    shift
    arrows "$@" | sort
    exit
fi
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP layers: for the CPU device"; exit 0; }

failed=0
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' 0
defined=$tmp/defined
check() { # FOLDER FLAGS
    if ! arrows "$@" >"$tmp/arrows"; then
        echo "not ok $1: it does not compile"
        failed=1
    elif circle <"$tmp/arrows"; then echo "ok $1: no circle between its files"; else echo "not ok $1: a circle"; failed=1; fi
}
check cpudevice/runtime -std=gnu11 -Icpudevice/include
check common -std=gnu11 -D_GNU_SOURCE -DLAB_CPU -Icpudevice/include -fopenmp
check cpudevice/checker -std=gnu11 -Icpudevice/include -Icpudevice/runtime
check cpudevice/compiler -std=c11
check cpudevice/libraries -std=gnu11 -Icpudevice/include -Icpudevice/runtime

# Dead code: what a part defines for others and nobody uses. NVIDIA's own names, and those that compilers and the C++ library
# call, are used by programs. A line that begins in the first column declares or defines what stands before its { or =.
dead() { # FILE WITH NAMES, SOURCES
    sort -u "$1" | grep -vE '^(cu|nccl|nvml|nvrtc|__|_Z)' >"$tmp/names"
    shift
    find "$@" -type f \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cc' -o -name '*.sh' -o -path '*/include/*' \) | tr '\n' '\0' |
        xargs -0 awk -v names="$tmp/names" '
        BEGIN { while ((getline name <names) > 0) wanted[name] }
        {
            sub(/^ *\*.*/, ""); sub(/\/\/.*/, ""); gsub(/\/\*[^*]*(\*\/|$)/, "")
            if (/^[a-zA-Z_]/ && !/__asm__\(/ && FILENAME !~ /\.sh$/) sub(/^[^{=]*/, "")
            n = split($0, words, /[^a-zA-Z0-9_]+/)
            for (i = 1; i <= n; i++) if (words[i] in wanted) delete wanted[words[i]]
            if (match($0, /[a-z_0-9]+##/)) pasted[substr($0, RSTART, RLENGTH - 2)]
        }
        END {
            for (name in wanted) for (part in pasted) if (index(name, part) == 1) delete wanted[name]
            for (name in wanted) print name
        }' | sort
}
unused=$(dead "$defined" cpudevice common tools tests lecture* solutions)
if [ -z "$unused" ]; then echo "ok nothing is defined for others and not used"
else printf 'not ok defined for others and not used: %s\n' "$unused"; failed=1; fi

# The calls that go up (hooks.h) are counted. A function pointer at file scope elsewhere would hide a circle; the one that
# may stand is the listener of profile.c, which a tool gives by cpudev_subscribe().
hooks() { sed -n 's/^    [a-z].*(\*\([a-z_]*\))(.*/\1/p' "$1"; }
pointers() { # FOLDER ...: FILE:LINE of each function pointer at file scope, or in a variable's struct there
    find "$@" -name '*.[ch]' ! -name hooks.h ! -name observer.h | sort | xargs awk '
        FNR == 1 { inside = 0 }
        /^(extern|static)? *(const )?struct [a-z_]* *\{|^struct [a-z_]* \{/ { inside = /^(extern|static)/; start = FNR }
        /^[a-z][a-z_ *]*\(\*(_Atomic )?[a-z_]+(\[[^]]*\])?\)\([^{]*(;| =.*)$/ && !/^typedef/ { print FILENAME ":" FNR }
        inside && /^ +[a-z].*\(\*[a-z_]+\)\(/ { print FILENAME ":" FNR }
        /^\}/ { inside = 0 }'
}
for table in cpudevice/runtime/device/hooks.h cpudevice/checker/core/hooks.h; do
    echo "ok $table: $(hooks $table | wc -l) calls go up: $(hooks $table | tr '\n' ' ')"
done
found=$(pointers cpudevice/runtime cpudevice/checker cpudevice/viewer | grep -v '/profile\.c:')
if [ -z "$found" ]; then echo "ok no call goes up in another way"; else printf 'not ok function pointers at file scope: %s\n' "$found"; failed=1; fi

# The test itself: circles of calls and of includes are found, and what is none is not.
made() { # WHAT EXPECTED: in $tmp/WHAT
    if arrows "$tmp/$1" | circle >"$tmp/out"; then got=none; else got=$(sed 's/^# //' "$tmp/out" | sort | tr '\n' ';'); fi
    if [ "$got" = "$2" ]; then echo "ok a made folder: $1"; else echo "not ok a made folder: $1: $got"; failed=1; fi
}
mkdir "$tmp/layers" "$tmp/calls" "$tmp/includes"
echo 'int high(void); int high(void) { int low(void); return low(); }' >"$tmp/layers/a.c"
echo 'int low(void); int low(void) { return 1; }' >"$tmp/layers/b.c"
cp "$tmp"/layers/*.c "$tmp/calls"
echo 'int high(void); int middle(void) { return high(); } int low(void) { return middle(); }' >"$tmp/calls/b.c"
echo '#include "b.h"' >"$tmp/includes/a.h"
echo '#include "a.h"' >"$tmp/includes/b.h"
echo 'int none;' >"$tmp/includes/c.c"
made layers none
made calls 'a calls low of b;b calls high of a;'
made includes 'a includes b.h of b;b includes a.h of a;'
printf '%s\n' called pasted_here none >"$tmp/some"
mkdir "$tmp/dead"
printf '%s\n' 'void called(void);' 'void none(void) { /* not none() */ called(); }' 'int pasted_here;' '#define USE(x) pasted_##x' >"$tmp/dead/a.c"
got=$(dead "$tmp/some" "$tmp/dead")
if [ "$got" = none ]; then echo "ok a made folder: dead code"; else echo "not ok a made folder: dead code: $got"; failed=1; fi
mkdir "$tmp/pointers"
printf '%s\n' 'static void (*sleeps)(void);' 'void (*told)(int number);' 'extern struct all {' '    void (*spawn)(void);' \
    '} all;' 'void run(void (*body)(void));' 'struct one {' '    void (*free)(struct one *);' '};' >"$tmp/pointers/a.h"
got=$(pointers "$tmp/pointers" | sed 's/.*://' | tr '\n' ' ')
if [ "$got" = '1 2 4 ' ]; then echo "ok a made folder: function pointers"; else echo "not ok a made folder: function pointers: $got"; failed=1; fi
exit $failed
