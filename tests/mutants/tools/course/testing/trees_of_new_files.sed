# file: tools/course/testing/tree_parts.c
# test: tests/course/mutant_trees inodes_stay
s/if (out >= 0)$/if (out < -1)/
