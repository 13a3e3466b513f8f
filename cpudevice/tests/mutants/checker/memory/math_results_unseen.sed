# file: cpudevice/checker/memory/math_results.c
# test: cpudevice/tests/checker/check_mistakes.sh structs/math_frexp_beyond
/^#define ONE_RESULT/,/^    }/s/RESULT(p); /(void)0;  /
