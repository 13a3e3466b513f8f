# file: common/lab/image.c
# test: tests/course/common_test
s/if (fread(pixel, 1, bytes, f) != bytes) {/if (fread(pixel, 1, bytes, f) > bytes) {/
