# file: tools/course/testing/tree_parts.c
# test: tests/course/mutant_trees mended
s/ && o->d_ino == d->d_ino && / \&\& /
