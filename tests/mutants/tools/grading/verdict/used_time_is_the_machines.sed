# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict program
s/^static int used_its_time(const Sandbox \*s) .*$/static int used_its_time(const Sandbox *s) { return s->cpu_s_used < 0; }/
