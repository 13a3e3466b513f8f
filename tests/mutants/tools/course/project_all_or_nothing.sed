# file: tools/course/progress.c
# test: tests/course/exercises project_steps
s/points += points_earned(&r\[i\].text, r\[i\].grade.state == STATE_PASSED, r\[i\].grade.stages);/points += points_earned(\&r[i].text, r[i].grade.state == STATE_PASSED, 0);/
s/r\[i\].grade.state == STATE_FAILED && r\[i\].grade.stages/0/
