#!/bin/sh
# anywhere.sh DEVICE: the course in places and under conditions that a student's machine may have. Says "ok" or "not ok" for
# each; tests/course/systems.py tries whole systems.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
if [ "${1:-cpu}" != cpu ]; then
    echo "ok # SKIP places: for the CPU device"
    exit 0
fi
. cpudevice/tests/harness/is.sh
here=$PWD
lab=build/cpu/lecture03_cuda_basics/add

cpudevice/cucc -o "$out/hello" tests/course/anywhere/hello.cu >"$out/compiler" 2>&1 || exit 1
is 0 '^0$' "the compiler says nothing of a right program" sh -c "wc -c <'$out/compiler'"
cpudevice/cucc --check -g -o "$out/checked" tests/course/anywhere/hello.cu || exit 1

# ---- little address space, no /proc
for kilobytes in 20000000 2000000; do
    is 0 'it runs: 1' "ulimit -v $kilobytes" sh -c "ulimit -v $kilobytes; exec '$out/hello'"
    is 0 'it runs: 1' "ulimit -v $kilobytes, checked" sh -c "ulimit -v $kilobytes; exec '$out/checked'"
done
is 0 'the device has [0-9]* MB of memory' "ulimit -v says what it takes" sh -c "ulimit -v 2000000; exec '$out/hello'"
is 1 'no address space' "ulimit -v that is too small is told" sh -c "ulimit -v 300000; exec '$out/hello'"
if unshare --mount true 2>/dev/null; then
    is 0 'it runs: 1' "without /proc" unshare --mount sh -c "mount -t tmpfs none /proc && exec '$out/hello'"
    is 2 '/proc is not mounted' "without /proc nothing is checked" unshare --mount sh -c "mount -t tmpfs none /proc && exec '$out/checked'"
else
    echo "ok # SKIP without /proc: that takes root"
fi

# ---- a build that is broken off leaves nothing
broken() {
    CUCC_BUILD=$out/broken timeout -s KILL 1 cpudevice/cucc --build
    mkdir -p "$out/broken/objects" # what it had not come to is compiled already
    flock build/cpu/.lock cp -rpu build/cpu/objects/cucc-compile build/cpu/objects/libcudacpu.a "$out/broken/objects/"
    CUCC_BUILD=$out/broken cpudevice/cucc --build && ls -A "$out/broken" && ! ls -d "$out"/broken/lib.?????? 2>/dev/null
}
is 0 'libcudacpu.a' "after a build that was broken off" broken

# ---- in a folder with any name; a copy of what is built is for another place
odd="$out/a b'\"\$#;课程"
tools/setup/mirror.sh "$odd" >/dev/null || exit 1
mkdir -p "$odd/build"
flock build/cpu/.lock cp -rp build/cpu "$odd/build/" # not while another test builds a library there
find "$odd/build/cpu" -name '*.d' -o -path '*/lecture03_cuda_basics/add*' | while read -r f; do rm -f "$f"; done
is 0 'cucc --build' "a copied tree builds anew" sh -c 'cp -rp "$1" "$2" && make -C "$2" -n DEVICE=cpu lecture03 | grep -e --build' sh "$odd" "$out/copy"
rm -rf "$out/copy"
(cd "$odd" && cpudevice/built_for.sh >build/cpu/built_for)
is 0 '' "a folder with blanks, quotes, \$, #, ; and Chinese characters" make -C "$odd" -s DEVICE=cpu "$lab"
is 0 'is up to date' "there a second make has nothing to do" make -C "$odd" DEVICE=cpu "$lab"
is 0 'ok: max error' "there it runs" sh -c 'cd "$1" && umask 077 && ./run --device cpu add --verify --small' sh "$odd"
echo 'int main() { return 0; }' >"$odd/nothing.cu"
rm -f "$odd/build/cpu/libcudacpu_libraries.a"
is 0 'TOP=' "there NVIDIA's libraries build, of which NVRTC knows where cucc is" "$odd/cpudevice/cucc" -v -c -o "$out/nothing.o" "$odd/nothing.cu"

# ---- a language with a decimal comma, and Turkish, whose i is not I's small letter
if command -v localedef >/dev/null && localedef -i de_DE -f UTF-8 "$out/de_DE.UTF-8" 2>/dev/null && localedef -i tr_TR -f UTF-8 "$out/tr_TR.UTF-8" 2>/dev/null; then
    for language in de_DE.UTF-8 tr_TR.UTF-8; do
        if command -v python3 >/dev/null; then is 0 '' "notes in $language" env LOCPATH="$out" LC_ALL=$language tools/notes/notes.sh --check; else echo "ok # SKIP notes: no python3 here"; fi
        is 0 'ok: max error' "a lab in $language" env LOCPATH="$out" LC_ALL=$language ./run --device cpu add --verify --small
    done
else
    echo "ok # SKIP languages: needs the package locales"
fi

# ---- make check twice at once: the second waits
if command -v flock >/dev/null; then
    mkdir -p "$odd/build"
    twice() { # runs make check while the lock is held, until it says that it waits
        exec 9>"$odd/build/check.lock"
        flock 9
        make -C "$odd" --no-print-directory DEVICE=cpu check >"$out/second" 2>&1 9>&- &
        while kill -0 $! 2>/dev/null && ! grep -q 'another make check' "$out/second"; do sleep 0.1; done
        kill $! 2>/dev/null
        cat "$out/second"
    }
    is 0 'another make check runs here' "make check twice at once" twice
else
    echo "ok # SKIP make check twice at once: needs flock"
fi
