#!/bin/sh
# grading_chinese.sh [DEVICE]: tools/grade with COURSE_LANG=zh. Students and teachers read Chinese; names, and what programs
# read, stay as they are; the grades are the same in both languages.
# shellcheck source=/dev/null
. "$(dirname "$0")/../harness/sandbox.sh"
needs_sandbox "${1:-cpu}" "grades in Chinese"

exercise=lecture03_cuda_basics/exercises/ex01_index.cu solution=solutions/lecture03_cuda_basics/ex01_index.cu
hand_in() { # student, a script for sed that changes the solution
    mkdir -p "$work/in/$1/${exercise%/*}"
    sed "$2" $solution | grep -v 'TODO(ex\|>>> answer\|<<< answer\|// stub:' >"$work/in/$1/$exercise"
}
hand_in late '' # a name that is a word of ours
hand_in bob '/^    size_t i = /s/i = .*/i = 0;/' # wrong
hand_in cleo '/^    size_t i = /s/$/\n    int j = nothing;/' # does not build
hand_in dan '/^    size_t i = /s/$/\n    if (i > 0) {/' # refused
hand_in eve '/^    size_t i = /s/$/\n    y[i + n] = 0;/' # the checker finds it
mkdir "$work/in/fay" # nothing
tools/course.sh stub $solution >"$work/stub"
mkdir -p "$work/in/gil/${exercise%/*}" && cp "$work/stub" "$work/in/gil/$exercise"
echo nobody >"$work/students"
: >"$work/in/no_archive"
grade() { COURSE_LANG=$1 tools/grade -o "$work/grades" -e 3.1 --due "2020-01-01 00:00" --students "$work/students" "$work"/in/* >"$work/said" 2>&1; }
page() { cat "$work/grades/students/$1.txt"; }

grade zh
is "what the teacher reads is Chinese" \
    'grep -q "^8 份提交，每份 1 道练习：已通过 1，未通过 4，待做 1，缺交 1，未批改 0；用时 [0-9.]* s$" "$work/said" && grep -q "^缺交：nobody$" "$work/said"'
is "a name is no word" 'grep -q "^迟交：late$" "$work/said" && page late | grep -q "^late：1 / 1 分（迟交）$"'
is "why a submission is not read" 'grep -q "^无法读取：.*/no_archive：既不是目录" "$work/said"'
is "what came of an answer" 'page late | grep -q "^3\.1 .*：已通过$" && page gil | grep -q "^3\.1 .*：待做$" && page fay | grep -q "^    没有 lecture03"'
is "what the judge saw" 'page bob | grep -q "^    N = [0-9]*：元素 1 从未写入，应为 .*；[0-9]* 个中错 [0-9]* 个"'
is "what the compiler says, before the Chinese for what is not known" \
    'page cleo | grep -q "ex01_index.cu:[0-9:]*: error: .nothing. was not declared" && page cleo | grep -q "^    nothing：答案没有声明它"'
is "why an answer is refused" 'page dan | grep -q "^    第 [0-9]* 行：答案在这里打开的“{”没有在答案里关闭$"'
is "what the checker found" 'page eve | grep -q "写入" && page eve | grep -q "ex01_index.cu:[0-9]*"'
# Beside the compiler's messages, the quotations of an answer and commands no English sentence is left.
english() {
    cat "$work"/grades/students/*.txt "$work/said" |
        grep -v -e "error: " -e "In kernel '" -e '^ *[0-9]* *| ' | grep -E '[a-z]+ [a-z]+ [a-z]+ [a-z]+'
}
is "no English sentence is left" '! english'
is "tables and keys are in English" \
    '[ "$(head -n 1 "$work/grades/grades.csv")" = student,3.1,points,of,late,note ] && grep -q "^late,1,1,1,late,$" "$work/grades/grades.csv"'
is "so are Gradescope'\''s keys; its text is Chinese" \
    'grep -q "\"status\": \"failed\", \"output\": \"未通过\\\\nN = " "$work/grades/students/bob.results.json"'
is "so is what CI reads of a verdict; its text is Chinese" 'grep -q "<failure message=\"failed\">N = .*从未写入" "$work/grades/junit.xml"'

find "$work/grades/work" -name result -exec cat {} + | sort >"$work/first"
cp "$work/grades/grades.csv" "$work/first.csv"
grade en
find "$work/grades/work" -name result -exec cat {} + | sort >"$work/second"
is "another reader gets the same grades, which are not made again" 'cmp -s "$work/first" "$work/second" && cmp -s "$work/first.csv" "$work/grades/grades.csv"'
is "in English" 'page bob | grep -q "N = [0-9]*: element 1 was never written" && grep -q "^late: late$" "$work/said"'

# Without a sandbox a program has the teacher's environment, and so has the checker in it.
COURSE_LANG=zh tools/grade --unsafe -o "$work/unsafe" -e 3.1 "$work/in/eve" >"$work/said" 2>&1
is "without a sandbox, too, a grade is kept in English, and told in Chinese" \
    'find "$work/unsafe/work" -name result -exec cat {} + | grep -q "memcheck: out of bounds" && grep -q "memcheck：越界" "$work/unsafe/students/eve.txt"'
end_tests
