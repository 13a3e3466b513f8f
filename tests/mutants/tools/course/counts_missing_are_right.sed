# file: tools/course/counts.c
# test: tests/course/counts_recorded.sh
s/lab->sizes ? "is missing" : old/old/
