# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict compiler
/^Blame blame_of_compiler/,/^}/s/by_clock(s) ? MACHINE : ANSWER;/by_clock(s) ? PERHAPS : ANSWER;/
