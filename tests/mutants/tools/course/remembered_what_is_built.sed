# file: tools/course/support.c
# test: tests/course/remembered of_linked_folders
s/    nftw(folder, add_file, 16, FTW_PHYS);/    nftw(folder, add_file, 16, 0);/
