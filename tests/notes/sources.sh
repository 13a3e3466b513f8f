#!/bin/sh
# sources.sh DEVICE: each line of docs/sources.csv: its file is there and holds what it must; docs/sources.md is what it makes. Says
# "ok" or "not ok" for each.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
if [ "${1:-cpu}" != cpu ]; then
    echo "ok # SKIP the sources: the same on every device"
    exit 0
fi
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
# A tab between the fields, none of which holds one.
awk '
    /^#/ || /^source,/ { next }
    {
        quoted = 0
        for (i = 1; i <= length($0); i++) {
            c = substr($0, i, 1)
            if (c == "\"" && quoted && substr($0, i + 1, 1) == "\"") { printf "%s", c; i++ }
            else if (c == "\"") quoted = !quoted
            else printf "%s", c == "," && !quoted ? "\t" : c
        }
        print ""
    }' docs/sources.csv >"$out/rows"
while IFS='	' read -r source kind what file holds rest; do
    if [ -z "$holds" ] || [ -n "$rest" ]; then
        echo "not ok $source: $what: five fields are wanted"
    elif ! grep -qF -- "$holds" "$file"; then
        echo "not ok $source: $what: $file is not there or does not hold '$holds'"
    else
        echo "ok $source, $kind: $what"
    fi
done <"$out/rows"
tools/notes/sources.sh >"$out/page"
if cmp -s "$out/page" docs/sources.md; then echo "ok docs/sources.md"; else echo "not ok docs/sources.md: tools/notes/sources.sh >docs/sources.md makes it anew"; fi
