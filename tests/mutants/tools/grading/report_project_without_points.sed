# file: tools/grading/report.c
# test: tests/grading/grading_project.sh
s/return points_earned(&t, r->outcome == PASSED, r->stages);/return points_earned(\&t, r->outcome == PASSED, 0);/
