#!/bin/sh
# built_for.sh DEVICE: make throws a build away that is for another place, and keeps it where it cannot tell. Says "ok" or
# "not ok" for each.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
. cpudevice/tests/harness/is.sh
tree=$(tools/setup/mirror.sh "$out/course") || exit 1
mkdir -p "$tree/build/cpu" "$out/fails"
printf '#!/bin/sh\nexit 1\n' >"$out/fails/uname"
chmod +x "$out/fails/uname"
built="$tree/build/cpu/kept"

makes() { # [NAME=VALUE...] GOAL: make reads the Makefile and prints what it would do
    env "$@" make -C "$tree" --no-print-directory DEVICE=cpu -n labs
}
kept() { [ -e "$built" ]; }

(cd "$tree" && cpudevice/built_for.sh >build/cpu/built_for) && : >"$built"
is 0 '' "a build for this place" makes COURSE_LANG=en
is 0 '' "it is kept" kept
is 2 'built_for.sh failed, as said above: .* it is kept as it is' "a command fails" makes COURSE_LANG=en PATH="$out/fails:$PATH"
is 0 '' "the build is kept" kept
is 2 'built_for.sh 失败' "in Chinese" makes COURSE_LANG=zh PATH="$out/fails:$PATH"
is 2 'no_such_compiler.*not found' "no compiler" makes COURSE_LANG=en CUCC_CC=no_such_compiler
is 0 '' "the build is kept without it" kept
for goal in help doctor; do # these say what to do then
    is 0 '' "make $goal" env PATH="$out/fails:$PATH" make -C "$tree" -n "$goal"
done
echo elsewhere >"$tree/build/cpu/built_for"
is 0 '' "a build for another place" makes COURSE_LANG=en
is 1 '' "it is thrown away" kept
