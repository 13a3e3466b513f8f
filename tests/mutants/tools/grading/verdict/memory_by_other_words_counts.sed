# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict compiler
s/{"out of memory", "memory exhausted", /{"memory exhausted", /
