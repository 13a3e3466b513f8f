# file: tools/course/limits.c
# test: tests/course/limits
s/if (!found || (largest ? v > \*value : v < \*value))/if (!found)/
