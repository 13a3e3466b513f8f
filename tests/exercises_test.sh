#!/bin/sh
# exercises_test.sh DEVICE: a student's way through an exercise, in a copy of the course: to do, wrong, right, reset.
export LC_ALL=C
device=${1:-cpu}
passed=0 failed=0
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/build/$device/tests" "$tree/solutions"
cp -rp Makefile run tools common cpudevice lecture03_cuda_basics data "$tree/"
cp -rp solutions/lecture03_cuda_basics "$tree/solutions/"
# Exercises as they come, whatever has been done about them here.
rm -rf "$tree"/lecture03_cuda_basics/exercises/*
for s in solutions/lecture03_cuda_basics/ex*.cu; do
    awk -f tools/stub.awk "$s" >"$tree/lecture03_cuda_basics/exercises/$(basename "$s")" || exit 1
done
# what is built already need not be built again
for f in build/"$device"/*; do case $f in */lecture* | */solutions | */tests) ;; *) cp -rp "$f" "$tree/build/$device/" ;; esac; done
[ "$device" = cuda ] || "$tree/cpudevice/built_for.sh" >"$tree/build/cpu/built_for" # it will do in this copy too
mutants=$PWD/tests/mutants/lecture03_cuda_basics
cd "$tree" || exit 1
export DEVICE="$device"
ex=lecture03_cuda_basics/exercises/ex01_index.cu

# says WHAT STATUS TEXT command...: the command's status, and a text in its output
says() {
    what=$1 want=$2 text=$3
    shift 3
    out=$("$@" 2>&1)
    got=$?
    if [ $got = "$want" ] && printf '%s\n' "$out" | grep -q -e "$text"; then
        passed=$((passed + 1))
    else
        echo "FAILED: $what: status $got, and it said:"
        printf '%s\n' "$out" | tail -12
        failed=$((failed + 1))
    fi
}
todo_of() { grep -v 'TODO(ex' "$1" >"$1.new" && mv "$1.new" "$1"; }

tools/exercises.sh reset 3.1 >/dev/null
says 'an untouched exercise is to do' 1 'still to do' ./run 3.1
says 'next names it' 0 'exercise 3.1' make -s next
says 'a hint' 0 'Hint 1' make -s hint EX=3.1
says 'the next hint' 0 'Hint 2' make -s hint EX=3.1
todo_of $ex
says 'a wrong answer' 1 'not right yet' ./run 3.1
says 'is counted as not yet' 0 'not yet *3.1' make -s exercises
sed -i 's/size_t i = 0;/size_t i = this_does_not_compile;/' $ex
says 'an answer that does not build shows why' 1 'this_does_not_compile' ./run 3.1
grep -v 'TODO(ex\|>>> answer\|<<< answer\|// stub:' solutions/lecture03_cuda_basics/ex01_index.cu >$ex
says 'the right answer passes and names the solution' 0 'solutions/lecture03_cuda_basics/ex01_index.cu' ./run 3.1
if [ "$device" = cpu ]; then # right numbers, and memory that is never freed: only the checker sees it
    sed -f "$mutants/ex08_leaks.sed" solutions/lecture03_cuda_basics/ex08_copies.cu | grep -v 'TODO(ex' >lecture03_cuda_basics/exercises/ex08_copies.cu
    says 'a mistake that the numbers do not show' 1 'never freed' ./run 3.8
fi
says 'with options it runs as a lab' 0 'N = 100' ./run 3.1 --size 100
says 'next goes on to the second' 0 'exercise 3.2' make -s next
says 'an exercise can be left for later' 0 'comes back to it' make -s skip EX=3.2
says 'next leaves it out' 0 'exercise 3.3' make -s next
says 'stubs leave what has been worked on' 0 "kept: $ex" make -s stubs
cp $ex first.cu
says 'reset' 0 'as it was at first; what you had is in .*kept/ex01_index.1.cu' make -s reset EX=3.1
says 'a second reset has nothing to do' 0 'nothing to reset' make -s reset EX=3.1
echo '// again' >>$ex
says 'another attempt gets the next number' 0 'kept/ex01_index.2.cu' make -s reset EX=3.1
says 'the exercise is the stub again' 0 '^$' sh -c "awk -f tools/stub.awk solutions/lecture03_cuda_basics/ex01_index.cu | cmp - $ex && echo"
for text in '3.1; touch was_run' '$(touch was_run)' '`touch was_run`' '$(shell touch was_run)' "3.1' ; touch was_run ; '" '"; touch was_run; "'; do
    for what in hint reset watch; do
        says "what EX says is not run: make $what EX=$text" 2 'no exercise' make -s $what EX="$text"
    done
done
says 'nothing of it was run' 1 '^$' sh -c 'echo; test -e was_run'
says 'an unknown exercise' 2 'no exercise' tools/exercises.sh hint 3.77
says 'an unknown lecture' 2 'there are: lecture03' make lecture02
says 'a lab is found wherever it is' 0 'multiprocessors' ./run launch --verify
says 'a lecture is walked through without having been made' 0 'matmul_naive' ./run lecture03 --list
make -s clean
kept=$(dirname $ex)/kept
says 'what was done is kept, after make clean too' 0 '^$' sh -c "cmp first.cu $kept/ex01_index.1.cu && grep -q again $kept/ex01_index.2.cu && echo"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
