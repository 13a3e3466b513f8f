// A header that is CCCL's alone, where there is none.
// TEST: a header that we have not is reported, and where it is to be had
// RUN: $cucc --cccl none -o $exe $case
// STATUS: 1
// MATCHES: missing.cu:{line zip_iterator.h>}.*zip_iterator.h
// MATCHES: tools/[a-z/]*need.sh cccl
// TEST: --cccl names a folder without it
// RUN: $cucc --cccl $work -o $exe $case
// STATUS: 1
// MATCHES: no CCCL in /
#include <thrust/iterator/zip_iterator.h>
int main() { return 0; }
