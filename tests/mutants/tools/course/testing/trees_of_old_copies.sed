# file: tools/course/testing/tree_parts.c
# test: tests/course/mutant_trees copies_stay
s/is.st_mtim.tv_sec == was->st_mtim.tv_sec && is.st_mtim.tv_nsec == was->st_mtim.tv_nsec/1/
