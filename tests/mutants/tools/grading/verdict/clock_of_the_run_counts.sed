# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict program
/^Blame blame_of_program/,/^}/s/by_clock(s) ? MACHINE : ANSWER;/by_clock(s) ? PERHAPS : ANSWER;/
