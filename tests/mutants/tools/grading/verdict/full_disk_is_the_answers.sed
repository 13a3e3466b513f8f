# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict compiler
s/ && !says_machine(s->err) ? ANSWER : MACHINE;/ ? ANSWER : MACHINE;/
