# file: tools/course/limits.c
# test: tests/course/limits
s/here > 0 \&\& there > 0 ? limit \* there \/ here : limit;/limit;/
