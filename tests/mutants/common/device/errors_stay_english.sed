# file: common/device/words.c
# test: tests/course/lab_program an_error_in_chinese
# what is said on stderr stays English
/^    stderr = spoken/d
