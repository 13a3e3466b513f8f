# file: tools/course/testing/tree_parts.c
# test: tests/course/mutant_trees mended
s/is.st_dev == was->st_dev && is.st_ino == was->st_ino/S_ISREG(is.st_mode)/
