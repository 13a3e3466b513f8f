# file: common/lab/lab_judge.c
# test: tests/grading/grading_ways.sh 11.16
s/^        if (takes(j->lab, dim)) {$/        {/
