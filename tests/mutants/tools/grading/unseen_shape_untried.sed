# file: tools/grading/one.c
# test: tests/grading/grading_unseen.sh
# a shape is drawn, and no answer runs at it
s/else if (\*u.shape \&\& run_counted/else if (0 \&\& run_counted/
