# file: common/lab/image.c
# test: tests/course/common_test
s/if (maxval != 255)/if (maxval < 0)/
