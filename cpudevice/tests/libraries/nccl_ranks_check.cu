// NCCL's operations of several ranks under --check: clean; a result that is changed before it is there; and what was not set.
// BUILD: $cucc --check -g -O1 -o $exe $case -lnccl
// TEST: nccl_ranks under --check
// RUN: CUDA_CPU_DEVICES=3 $exe
// MATCHES: ^cucc --check: 0 errors
// TEST: nccl_ranks under --check: the result is changed before it is there
// RUN: CUDA_CPU_DEVICES=2 $exe early
// STATUS: 99
// MATCHES: ^racecheck: 
// TEST: nccl_ranks under --check: one rank sends what it has not set
// RUN: CUDA_CPU_DEVICES=2 $exe unset
// STATUS: 99
// MATCHES: ^initcheck: 
// SAYS: kernel ncclAllGather
#include "nccl_ranks.cu"
