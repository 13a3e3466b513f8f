# file: tools/course/leaderboard.c
# test: tests/course/limits all
# a slower version takes the place of the best
s/^            if (is_better(e, &to->at\[i\]))$/            if (1)/
