#!/bin/sh
# grading_built_once.sh [DEVICE]: two graders that begin at once, where none is built yet, build one: the second one's would take the
# first one's place while it runs.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/grading_built.XXXXXX") || exit 1
trap 'rm -rf "$work"' 0
trap 'exit 1' 1 2 15
tree=$(tools/setup/mirror.sh "$work/tree") || exit 1
cat >"$work/cc" <<'END'
#!/bin/sh
echo built >>"$BUILT"
sleep 1
exec gcc "$@" -O0
END
chmod +x "$work/cc"
export BUILT="$work/built" CC="$work/cc"
for i in 1 2; do "$tree/tools/grade" --help >"$work/help$i" 2>&1 & done
wait
n=$(wc -l <"$BUILT")
if [ "$n" = 1 ] && grep -q SUBMISSION "$work/help1" && cmp -s "$work/help1" "$work/help2"; then echo "ok 1 - one is built"; else
    echo "not ok 1 - one is built"
    echo "# $n were built"
    sed 's/^/# /' "$work/help1" "$work/help2"
    failed=1
fi
echo 1..1
exit "${failed:-0}"
