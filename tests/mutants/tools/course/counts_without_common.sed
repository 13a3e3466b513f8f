# file: tools/course/counts.c
# test: tests/course/counts
s/ || (starts_with(word, "common\/") && ends_with(word, ".cuh"))//
