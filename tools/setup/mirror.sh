#!/bin/sh
# mirror.sh [DIR]: prints the folder to work in. That is the checkout, where it can be written and no DIR is given; else
# DIR, or a folder in the user's cache, with a link to each of the checkout's files, and a build/ of its own.
set -u
export LC_ALL=C
die() { echo "$(say "mirror.sh: " "mirror.sh：")$*" >&2; exit 2; }
here=$(cd "$(dirname "$0")/../.." && pwd -P) || exit 2
. "$here/tools/setup/say.sh"
to=${1-}
if [ -z "$to" ]; then
    if [ -w "$here" ]; then
        printf '%s\n' "$here"
        exit 0
    fi
    cache=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}
    to=$cache/cuda-course/$(printf '%s' "$here" | cksum | cut -d ' ' -f 1) # one for each checkout
fi
# A mirror in the checkout would be linked into itself; build/ is not linked.
case $(realpath -m "$to")/ in "$here"/build/?*) ;; "$here"/*) die "$(say "O=$to: name a folder outside the checkout" "O=$to：应当是课程目录之外的目录")" ;; esac
mkdir -p "$to" 2>/dev/null && [ -w "$to" ] || die "$(say "$here cannot be written, and neither can $to; make O=DIR builds in DIR" \
    "$here 不能写入，$to 也不能；make O=DIR 在 DIR 里编译")"
to=$(cd "$to" && pwd -P) || exit 2
# A folder with files of somebody else's would lose those that are called as ours: the first thing in a mirror is a mark.
if [ -n "${1-}" ] && [ ! -e "$to/.mirror" ] && [ ! -h "$to/tools/setup/mirror.sh" ] && [ -n "$(ls -A "$to")" ]; then
    die "$(say "O=$to: that folder has files that make did not put there; name an empty one, or one that does not exist yet" \
        "O=$to：这个目录里有不是由 make 放入的文件；请指定一个空目录，或者还不存在的目录")"
fi
: >"$to/.mirror" || exit 2
# Files that are there no more; a process for each link would take seconds.
find "$to" -path "$to/build" -prune -o -type l -exec sh -c 'for link; do [ -e "$link" ] || rm -f "$link"; done' sh {} +
(cd "$here/cpudevice/toolkit" && find . -type d) | (cd "$to" && mkdir -p cpudevice/toolkit && cd cpudevice/toolkit && xargs mkdir -p)
for entry in "$here"/* "$here"/.[!.]* "$here"/cpudevice/*; do
    [ -e "$entry" ] || [ -h "$entry" ] || continue # no name begins with a dot here
    name=${entry#"$here"/}
    case $name in build | .git | cpudevice | cpudevice/toolkit) ;; *) cp -rsf "$entry" "$(dirname "$to/$name")/" || die "$(say "cannot write $to" "不能写入 $to")" ;; esac
done
# cpudevice/toolkit is made of links already: its own, so that they name the mirror's compiler and build/. One that is right is
# left alone, for it may be in use.
for entry in "$here"/cpudevice/toolkit/* "$here"/cpudevice/toolkit/bin/* "$here"/cpudevice/toolkit/targets/*/*; do
    link=$to/${entry#"$here"/}
    if [ -h "$entry" ]; then means=$(readlink "$entry"); elif [ -d "$entry" ]; then continue; else means=$entry; fi
    [ "$(readlink "$link")" = "$means" ] || ln -sfn "$means" "$link" || die "$(say "cannot write $to" "不能写入 $to")"
done
printf '%s\n' "$to"
