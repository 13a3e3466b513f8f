# file: tools/grading/names.c
# test: tests/grading/grading_answer
# a cluster's barrier in two calls, where the solution has it in one
/ cluster_group this_cluster /d
/^        "barrier_wait arrival_token /d
