#!/bin/sh
# pictures.sh [--check]: draws the pictures of the notes, lectureNN_name/pictures/*.svg: by the programs in tools/pictures/
# out of the labs' own kernels, and bars (tools/pictures/plots.sh) out of results/. With --check nothing in the course is written; the exit status is 1 if a picture differs from
# what its program draws, or is drawn by none.
export LC_ALL=C
set -u
cd "$(dirname "$0")/../.." || exit 2
mode=${1-} work=build/pictures
case $mode in '' | --check) ;; *) echo "usage: pictures.sh [--check]" >&2; exit 2 ;; esac
mkdir -p "$work" || exit 2

excerpt() { # NAMESPACE FILE NAME...
    name=$1
    shift
    # kernel<<<...>>>(arguments) becomes REPLAY_LAUNCH kernel(arguments), a loop over the threads
    tools/notes/excerpt.sh "$@" | sed 's/\([A-Za-z0-9_]*\)<<<.*>>>(/REPLAY_LAUNCH \1(/' >"$work/$name.inc.new"
    [ -s "$work/$name.inc.new" ] || exit 1
    cmp -s "$work/$name.inc.new" "$work/$name.inc" || cp "$work/$name.inc.new" "$work/$name.inc"
}
. tools/pictures/excerpts.sh

mkdir -p "$work/include" && : >"$work/include/cuda_runtime.h" && : >"$work/include/cuda_bf16.h" # shim.h has what is needed

flags="-O1 -g -Wall -Wextra -Wno-unknown-pragmas -Icommon -Itools/pictures -I$work -I$work/include"
objects= # of the sources that are there now; what was made of one that is gone may still lie in $work
compile() { # FILE COMMAND...: only if something is newer than what was made of it
    object=$work/$(basename "$1").o source=$1
    objects="$objects $object"
    shift
    [ -f "$object" ] && [ -z "$(find "$source" tools/pictures "$work" -newer "$object" \( -name '*.[ch]' -o -name '*.cc' -o -name '*.inc' \) | head -1)" ] && return
    "$@" $flags -c "$source" -o "$object" || exit 1
}
for f in tools/pictures/*.c; do compile "$f" gcc -std=c11 -D_GNU_SOURCE; done
for f in tools/pictures/*.cc; do compile "$f" g++ -std=c++17 -fsanitize=thread -fno-threadsafe-statics -w; done
for f in common/sparse/*.c common/device/types.c; do compile "$f" gcc -std=c11 -D_GNU_SOURCE; done
gcc $objects -o "$work/pictures" -lstdc++ -lm || exit 1
compile tools/notes/plot.c gcc -std=c11 -D_GNU_SOURCE
gcc "$work/plot.c.o" "$work/svg.c.o" -o "$work/plot" || exit 1

if [ "$mode" != --check ]; then "$work/pictures" . && tools/pictures/plots.sh .; exit; fi
status=0
rm -rf "$work/drawn"
mkdir -p "$work/drawn"
"$work/pictures" "$work/drawn" >/dev/null && tools/pictures/plots.sh "$work/drawn" || exit 1
for f in $( (ls lecture*/pictures/*.svg; cd "$work/drawn" && ls lecture*/pictures/*.svg) 2>/dev/null | sort -u); do
    cmp -s "$f" "$work/drawn/$f" || { echo "pictures: $f is not what its program draws (make notes)"; status=1; }
done
pages=$(cat ./*.md docs/*.md lecture*/*.md cpudevice/*.md)
for f in lecture*/pictures/*.svg results/*/*.svg; do # and every one is shown somewhere
    [ -f "$f" ] || continue
    case $pages in *"pictures/${f##*/}"* | *"$f"*) ;; *) echo "pictures: no page shows $f"; status=1 ;; esac
done
exit $status
