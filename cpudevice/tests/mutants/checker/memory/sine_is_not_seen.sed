# file: cpudevice/checker/memory/math_results.c
# test: tests/grading/grading_forms memcheck
/^#define SINE_AND_COSINE/,/^    }/s/RESULT(sine);  /(void)0;  /
