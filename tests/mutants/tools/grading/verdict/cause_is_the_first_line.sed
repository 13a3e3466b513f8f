# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict cause
s/^    if (line)$/    if (0)/
