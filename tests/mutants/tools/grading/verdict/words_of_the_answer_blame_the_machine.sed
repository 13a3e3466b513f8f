# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict
# a static_assert with the words of a full disk makes an answer "not graded"
s/ && !quotes_answer(line, n);/;/
