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
    (cd "$objects" && for o in *.o; do nm -P "$o" | sed "s/^/${o%.o} /"; done) | awk '
        $3 == "U" || $3 == "w" { needs[$1 " " $2] }
        $3 ~ /^[A-TVWX-Z]$/ { room[$2] = $1 }
        END { for (n in needs) { split(n, p, " "); if (p[2] in room && room[p[2]] != p[1]) print p[1], room[p[2]], "calls " p[2] } }'
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
exit $failed
