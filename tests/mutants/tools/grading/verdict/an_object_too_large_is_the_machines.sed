# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict
# an answer that makes the compiler write too large an object is "not graded"
s/"File size limit exceeded signal"/"File size limit that nothing names"/
