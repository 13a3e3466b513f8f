# file: tools/course/testing/tree_parts.c
# test: tests/course/mutant_trees copies_stay
s/if (!is_still_right(to, &was))/if (1)/
