# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict program
s/"libgomp: Thread creation failed"))$/"libgomp: no such words"))/
