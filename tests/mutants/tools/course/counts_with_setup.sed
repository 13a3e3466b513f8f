# file: tools/course/counts.c
# test: tests/course/counts
s/if (!memmem(from, length, "\\"setup_", 7) \&\& .*) {/if (1) {/
