# file: tools/course/limits.c
# test: limits
s/if (!found || (largest ? v > \*value : v < \*value))/if (!found)/
