# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict program
s/^    return right && reported && /    return right \&\& /
