# file: common/lab/lab_model.c
# test: tests/course/lab_program
s/"setup_", 6) == 0;/"setup_", 6) == 7;/
