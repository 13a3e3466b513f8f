# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict program
s/ && !strstr(s->err, "CUDA_CPU_COUNTER");/;/
