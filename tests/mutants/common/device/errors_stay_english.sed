# file: common/device/words.c
# test: tests/course/lab_program
# what is said on stderr stays English
/^    stderr = spoken/d
