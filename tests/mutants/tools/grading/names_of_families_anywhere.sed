# file: tools/grading/names.c
# test: tests/grading/grading_answer
s/ && among(families\[f\], other, strlen(other)))/)/
