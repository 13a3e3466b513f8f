# file: tools/grading/tell.c
# test: tests/grading/grading_chinese.sh
# grades are made and kept in Chinese, where the verdict looks for English words
s/setenv("COURSE_LANG", "en", 1)/(void)0/
