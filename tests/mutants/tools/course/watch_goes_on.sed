# file: tools/course/exercise.c
# test: tests/course/exercises watched_steps
# who names a passed exercise is taken to another one
s/^            if (named) {$/            if (0) {/
