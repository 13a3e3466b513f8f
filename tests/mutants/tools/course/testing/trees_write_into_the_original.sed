# file: tools/course/testing/tree_parts.c
# test: tests/course/mutant_trees mended
s/ && is.st_nlink == 1 ? open/ ? open/
