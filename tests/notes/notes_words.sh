#!/bin/sh
# notes_words.sh: every word of CUDA, and every function of the profiler, that an exercise or a lab of lectures 1, 3 and 5 uses
# is shown in the notes: for an exercise before the line that first names it (Exercise 3.2), in this lecture's notes or an earlier
# one's; for a lab anywhere in this lecture's notes or an earlier one's.
words='\b(cuda[A-Z][A-Za-z0-9]*|__[a-z][a-z_0-9]*|blockIdx\.[xyz]|threadIdx\.[xyz]|blockDim\.[xyz]|gridDim\.[xyz]|dim3|atomic[A-Z][A-Za-z]*|u?(float|int|char)[24]|make_[a-z0-9]+|profiler_[a-z_]+|extern __shared__)\b'
failed=0
export LC_ALL=C
seen=$(mktemp) || exit 1
before=$(mktemp) || exit 1
own=$(mktemp) || exit 1
trap 'rm -f "$seen" "$before" "$own"' EXIT
grep -ohE 'profiler_[a-z_]+' lecture0*/*.cu | sort -u | while read -r word; do grep -qw "$word" common/profiler.h || echo "$word"; done >"$own" # names of a lab's own
used() { # FILE: the words in its code; comments, strings and what the CPU device alone compiles do not count
    awk '/^#ifdef __CUCC__/ {off = 1} !off {print} /^#(else|endif)/ {off = 0}' "$1" |
        sed 's|//.*||; s|/\*.*\*/||; s|^ \*.*||; s|^/\*.*||; s|"[^"]*"||g' | grep -oE "$words" | grep -vxF -f "$own" | sort -u
}
holds() { # WHAT FILE NOTES: each word used in FILE stands in NOTES
    missing=
    for word in $(used "$2" | sed 's/^extern //' | sort -u); do
        if ! grep -q -F -w -e "$word" "$3"; then
            echo "FAILED: $1 uses $word, which the notes have not shown"
            missing=1
        fi
    done
    if [ -z "$missing" ]; then echo ok; else failed=1 && echo "not ok"; fi
}
for lecture in lecture01_* lecture03_* lecture05_*; do
    number=$(echo "$lecture" | sed 's/lecture0*\([0-9]*\).*/\1/')
    for solution in solutions/"$lecture"/ex*.cu; do
        n=$number.$(basename "$solution" | sed 's/ex0*\([0-9]*\).*/\1/')
        awk -v n="$n" 'tolower($0) ~ "exercise " n "([^0-9]|$)" {found = 1; exit} {print} END {exit !found}' "$lecture/README.md" >"$before"
        if [ $? != 0 ]; then
            echo "FAILED: the notes do not name exercise $n"
            failed=1 && echo "not ok"
        fi
        cat "$seen" >>"$before"
        holds "exercise $n" "$solution" "$before"
    done
    cat "$lecture"/*.md >>"$seen"
    for lab in "$lecture"/*.cu; do holds "$lab" "$lab" "$seen"; done
done
[ $failed = 0 ]
