# file: common/measure/plot.c
# test: tests/course/full_disk.sh
s/return is_whole(base) ? 0 : -1;/return base ? 0 : -1;/
