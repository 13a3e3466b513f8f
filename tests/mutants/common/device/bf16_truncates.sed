# file: common/device/types.c
# test: tests/course/common_test
s/(u + 0x7fffu + (u >> 16 \& 1)) >> 16/u >> 16/
