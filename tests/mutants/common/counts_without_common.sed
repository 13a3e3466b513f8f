# file: tools/course/counts.c
# test: counts
s/ || (starts_with(word, "common\/") && ends_with(word, ".cuh"))//
