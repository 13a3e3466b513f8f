# file: tools/grading/copying.c
# test: tests/grading/grading_answer
# lanes take turns in a loop of labels, whose rounds the counters do not know
s/ && leads_back(c, p))/ \&\& 0 \&\& leads_back(c, p))/
