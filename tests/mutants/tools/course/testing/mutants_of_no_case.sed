# file: tools/course/testing/library_mutants.c
# test: tests/course/time_limits one_case_of_a_script
s/    if (status == 2 &&/    if (0 \&\&/
