# file: tools/course/counts.c
# test: counts
s/if (!memmem(from, length, "\\"setup_", 7) \&\& .*) {/if (1) {/
