# file: tools/course/testing/tree_parts.c
# test: tests/course/mutant_trees copies_stay
s/!is_before(&is.st_mtim, &was->st_mtim) && !is_before(&was->st_mtim, &is.st_mtim)/1/
