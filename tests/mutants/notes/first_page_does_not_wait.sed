# file: lecture01_profiling/README.md
# test: notes_test.sh
/cudaDeviceSynchronize();/d
