# file: lecture01_profiling/first/program.cu
# test: notes_test.sh
/if (i < n)  /d
