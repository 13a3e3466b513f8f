# file: tools/grading/report.c
# test: tests/grading/grading_chinese.sh
# what was said of an answer stays English on the page of the student
s/write_indented(f, tell(r\[k\].said))/write_indented(f, r[k].said)/
