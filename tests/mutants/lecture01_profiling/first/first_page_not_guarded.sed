# file: lecture01_profiling/first/program.cu
# test: tests/notes/notes_test.sh
/if (i < n)  /d
