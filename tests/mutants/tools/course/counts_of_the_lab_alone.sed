# file: tools/course/counts.c
# test: tests/course/counts
s/int counted = starts_with(word, "lecture") || /int counted = ends_with(word, ".cu") || /
