# file: tools/course/testing/tree_parts.c
# test: tests/course/mutant_trees copies_stay
s/is_before(&is.st_ctim, &finished)/1/
