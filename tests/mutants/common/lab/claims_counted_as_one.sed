# file: common/lab/lab_main.c
# test: tests/course/lab_program
s/return made > held ? (int)(made - held) : failed;/return failed;/
