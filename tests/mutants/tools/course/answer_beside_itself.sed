# file: tools/course/beside.c
# test: tests/course/exercises technique_steps
s/theirs = modelled(solution,/theirs = modelled(answer,/
