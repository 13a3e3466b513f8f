# file: tools/course/testing/tree_parts.c
# test: tests/course/mutant_trees mended
s/            bad = unlink(inner) != 0;/            bad = 0;/
