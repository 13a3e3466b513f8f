# file: tools/course/beside.c
# test: tests/course/exercises
s/theirs = modelled(solution,/theirs = modelled(answer,/
