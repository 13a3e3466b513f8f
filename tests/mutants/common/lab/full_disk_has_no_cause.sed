# file: common/lab/lab_main.c
# test: tests/course/full_disk.sh
s/    if (written_close(file))/    if (fclose(file) \&\& 0)/
