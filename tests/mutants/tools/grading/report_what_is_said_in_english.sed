# file: tools/grading/report.c
# test: tests/grading/grading_chinese.sh
# what was said of an answer stays English on the page of the student
/^static void write_indented(/,/^}/s/tell(said)/copy(said)/
