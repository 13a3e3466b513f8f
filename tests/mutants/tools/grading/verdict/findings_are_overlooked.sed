# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict program
s/^    if (has_finding(s->err) ||$/    if (/
