# file: tools/grading/copying.c
# test: tests/grading/grading_answer all
s/!strchr("\\n\\t\\f\\v", \*p)/!strchr("\\n\\r\\t\\f\\v", *p)/
