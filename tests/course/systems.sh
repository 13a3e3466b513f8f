#!/bin/sh
# systems.sh [--walk] [SYSTEM [WAY]]: the course on systems that a student may bring. Each row of the table below is a
# fresh system (a debootstrap with git, make, gcc and g++), in which the README's first commands and make check run, with
# --walk only the first. Their outcome becomes that row of results/cpu/systems.csv. Without SYSTEM all rows, one after the
# other. make check does not run this. As root, on Debian, with debootstrap and ubuntu-keyring; SYSTEMS=DIR is where the
# systems lie (1 GB each) and stay. What is tried is the commit HEAD.
#
#   gcc, clang   in the system, as root. clang compiles everything, C too, and needs libomp-dev.
#   student      as a user who is not root, with umask 077, in a folder with blanks, quotes, $, # and Chinese characters
#   readonly     the same user, in a checkout that nobody may write
#   one-core     as gcc, with one core and 2 GB of memory (a control group's)
#   arm64        programs of arm64, made by Debian's cross compiler on this machine and run by qemu-user: the walk-through,
#                the labs' tests, the device's own, all planted mistakes, splitting and nesting; the rest of
#                make check is the same on every machine, or would take a day
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
rows='bullseye gcc
bullseye clang
bookworm gcc
bookworm clang
bookworm student
bookworm readonly
bookworm one-core
trixie gcc
trixie clang
trixie arm64
noble gcc
noble student
sid gcc
sid clang'
systems=${SYSTEMS:-/var/tmp/cuda-systems}
table=results/cpu/systems.csv
head='system,way,compiler,libc,walk_through,passed,failed,skipped,build_s,check_s,commit,date'

walk_only=
[ "${1-}" != --walk ] || { walk_only=1; shift; }

die() { echo "systems.sh: $*" >&2; exit 2; }
[ "$(id -u)" = 0 ] || die "it makes systems, and needs to be root"
command -v debootstrap >/dev/null || die "debootstrap is missing (apt-get install debootstrap qemu-user-static; for noble ubuntu-keyring too, which bookworm lacks: trixie's package will do)"

# Makes SYSTEM unless it is there.
make_system() {
    root=$systems/$1
    [ -e "$root/made" ] && return 0
    mkdir -p "$systems"
    rm -rf "$root"
    case $1 in
    noble) from=http://archive.ubuntu.com/ubuntu components=main,universe script=gutsy ;; # the script of every Ubuntu
    *) from=http://deb.debian.org/debian components=main script=sid ;;
    esac
    debootstrap --variant=minbase --include=git,make,gcc,g++ --components=$components "$1" "$root" "$from" $script >"$root.log" 2>&1 || die "debootstrap $1: see $root.log"
    : >"$root/made"
}

# inside SYSTEM: a shell there, with /proc and /dev, which reads its commands from stdin. What it mounts goes with it.
inside() {
    unshare --mount --pid --fork sh -c 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
        exec chroot "$1" env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/root TERM=dumb DEBIAN_FRONTEND=noninteractive sh -s' sh "$systems/$1"
}

# What a way needs besides git, make, gcc and g++.
packages() {
    case $1 in
    clang) echo clang libomp-dev ;;
    student | readonly) echo check ;; # make check cannot install it for them
    arm64) echo g++-aarch64-linux-gnu libc6:arm64 libstdc++6:arm64 libgomp1:arm64 check:arm64 qemu-user ;;
    esac
}

# The commands of a way, for the shell in the system. They end with "compiler", "libc", "walk", "build_s", "counts", "check_s".
commands() {
    cat <<'END'
now() { date +%s; }
tell() { printf '@ %s %s\n' "$1" "$2"; }
logs=$(mktemp -d) || exit 1
walk() {
    begin=$(now)
    make lecture01 >"$logs/build" 2>&1 || { tail -20 "$logs/build"; tell walk 'does not build'; return; }
    tell build_s $(($(now) - begin))
    if ./run >"$logs/walk" 2>&1 && [ "$(grep -c '^[1-9]/[1-9] ' "$logs/walk")" -ge 5 ]; then
        tell walk passed
    else
        tail -20 "$logs/walk"
        tell walk failed
    fi
}
check() {
    begin=$(now)
    COURSE_REMEMBERS=no make check >"$logs/check" 2>&1
    tell counts "$(sed -n 's/^tests: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1,\2,\3/p' "$logs/check")"
    tell check_s $(($(now) - begin))
    cat "$logs/check"
    results=$(sed -n 's/^building in //p' "$logs/check" | head -n 1) # a mirror of a checkout that cannot be written
    results=${results:+$results/}build/check-results
    echo 'skipped, with the reason:'
    { cat "$results"/*.skips; grep -h '^ok.*# SKIP' "$results"/*; } | sed 's/.*# SKIP /tests: /; s/.*: \(needs\|no\) /\1 /' | sort | uniq -c | sort -rn
}
END
    case $1 in
    clang) echo 'export CUCC_CC=clang CUCC_CXX=clang++ CC=clang' ;;
    arm64) echo 'export CUCC_CC=aarch64-linux-gnu-gcc CUCC_CXX=aarch64-linux-gnu-g++ CC=aarch64-linux-gnu-gcc' ;;
    esac
    cat <<'END'
tell compiler "$(${CUCC_CXX:-g++} --version | head -1 | sed 's/^Debian //; s/,/ /g')"
tell libc "$(ldd --version | sed -n '1s/.* //p')"
cd "$place" || exit 1
END
    case $1 in
    arm64)
        echo walk
        [ -z "$walk_only" ] || return
        cat <<'TEXT'
begin=$(now)
programs=$(for f in lecture*/*.cu; do echo build/cpu/tests/labs/${f%.cu}; done; for f in cpudevice/tests/runtime/*.cu; do echo build/cpu/${f%.cu}; done)
make -k -j "$(nproc)" $programs >"$logs/build" 2>&1 || tail -20 "$logs/build"
passed=0 failed=0
one() { # a test program's or script's counts are added up
    "$@" >"$logs/one" 2>&1
    status=$?
    set -- $(awk '/^[0-9]+%: Checks: / {gsub(",", ""); n += $3; bad += $5 + $7} /^ok/ && !/# SKIP/ {n++} /^not ok/ {n++; bad++}
        END {print n - bad, bad + 0}' "$logs/one") "$*"
    [ $status = 0 ] || [ "$2" != 0 ] || set -- "$1" 1 "$3"
    passed=$((passed + $1)) failed=$((failed + $2))
    [ "$2" = 0 ] || { echo "FAILED $3 (status $status)"; tail -12 "$logs/one"; }
}
for t in $programs; do one "$t"; done
CHECK_ALL=1; export CHECK_ALL
for t in checker/check_mistakes compiler/split checker/check_nested; do one sh cpudevice/tests/$t.sh cpu; done
tell counts "$passed,$failed,0"
tell check_s $(($(now) - begin))
TEXT
        ;;
    *) echo walk; [ -n "$walk_only" ] || echo check ;;
    esac
}

# Has the kernel run programs of arm64 by SYSTEM's qemu.
register_qemu() {
    [ -e /proc/sys/fs/binfmt_misc/register ] || mount -t binfmt_misc none /proc/sys/fs/binfmt_misc || die "no binfmt_misc here"
    [ -e /proc/sys/fs/binfmt_misc/course-arm64 ] && echo -1 >/proc/sys/fs/binfmt_misc/course-arm64
    printf '%s' ':course-arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:'"$systems/$1/usr/bin/qemu-aarch64:F" \
        >/proc/sys/fs/binfmt_misc/register || die "qemu cannot be registered"
}

# memory_group BYTES: sets group to a control group of processes with that much memory, of either version.
memory_group() {
    if [ -e /sys/fs/cgroup/cgroup.controllers ]; then group=/sys/fs/cgroup/course limit=memory.max; else group=/sys/fs/cgroup/memory/course limit=memory.limit_in_bytes; fi
    mkdir -p $group && echo "$1" >$group/$limit || die "no control group can be made here"
}

# row SYSTEM WAY
row() {
    make_system "$1"
    root=$systems/$1
    missing=$(packages "$2")
    if [ -n "$missing" ]; then
        { [ "$2" = arm64 ] && echo 'dpkg --add-architecture arm64'; echo "apt-get -o Acquire::Check-Valid-Until=false update && apt-get install -y --no-install-recommends $missing"; } | # a mirror's sid may be a week old
            inside "$1" >"$root.apt.log" 2>&1 || die "$1 $2: apt-get: see $root.apt.log"
    fi
    [ "$2" != arm64 ] || register_qemu "$1"
    place=/root/course user=root
    case $2 in student | readonly) place="/home/student/a b'\"\$#;课程/course" user=student ;; esac
    rm -rf "$root/root/course" "$root/home/student"
    mkdir -p "$root$place"
    git archive HEAD | tar xf - -C "$root$place" || die "git archive"
    commands "$2" >"$root/commands.sh"
    log=$root.$2.log
    case $2 in one-core) memory_group 2G ;; arm64) memory_group 6G ;; *) group= ;; esac
    {
        [ "$2" != one-core ] || echo 'taskset -pc 0 $$'
        printf "place=%s; export place\n" "$(printf '%s' "$place" | sed "s/'/'\\\\''/g; s/^/'/; s/\$/'/")"
        if [ "$user" = student ]; then
            echo 'id student >/dev/null 2>&1 || useradd student; chown -R student /home/student; chmod 755 /home/student'
            [ "$2" = readonly ] && echo 'chown -R root "$place"; chmod -R go-w "$place"'
            echo 'exec setpriv --reuid=student --regid=student --clear-groups env HOME=/home/student sh -c "umask 077; . /commands.sh"'
        else
            echo '. /commands.sh'
        fi
    } >"$root/go.sh"
    if [ -n "$group" ]; then
        (sh -c 'echo $PPID' >$group/cgroup.procs && inside "$1" <"$root/go.sh" >"$log" 2>&1)
    else
        inside "$1" <"$root/go.sh" >"$log" 2>&1
    fi
    value() { sed -n "s/^@ $1 //p" "$log" | tail -1; }
    counted=$(value counts)
    line="$1,$2,$(value compiler),$(value libc),$(value walk),${counted:-,,},$(value build_s),$(value check_s),$(git rev-parse --short HEAD),$(date +%F)"
    # --walk leaves an older outcome of make check, with its commit and date, alone
    [ -z "$walk_only" ] || [ "$(value walk)" != passed ] || ! grep -q "^$1,$2,[^,]*,[^,]*,passed,[0-9]" "$table" 2>/dev/null || { printf '%s (make check not run)\n' "$line"; return; }
    {
        printf '# device: folders on %s, %s cores\n# date: %s\n# command: tests/course/systems.sh\n%s\n' \
            "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(date +%F)" "$head"
        { grep -v -e '^#' -e '^system,' -e "^$1,$2," "$table" 2>/dev/null; printf '%s\n' "$line"; } | sort
    } >"$table.new" && mv "$table.new" "$table"
    printf '%s\n' "$line"
}

main() {
    found=
    for one in $(printf '%s\n' "$rows" | tr ' ' ':'); do
        [ "${1:-${one%:*}}" = "${one%:*}" ] && [ "${2:-${one#*:}}" = "${one#*:}" ] || continue
        row "${one%:*}" "${one#*:}"
        found=1
    done
    [ -n "$found" ] || die "there is no row $*; the rows are: $(printf '%s\n' "$rows" | paste -sd , | sed 's/,/, /g')"
    exit 0 # before the rest of a script that has changed meanwhile is read
}
main "$@"
