# file: tools/grading/names.c
# test: tests/grading/grading_answer
s/ std swap abs / abs /
