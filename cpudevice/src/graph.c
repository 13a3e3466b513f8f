/* graph.c: stream capture and graphs. */
#include "runtime.h"
cudaError_t capture_command(struct CUstream_st *s, command *c) { (void)s; command_free(c); return cudaErrorNotSupported; }
cudaError_t capture_event_record(struct CUstream_st *s, cudaEvent_t e) { (void)s; (void)e; return cudaErrorNotSupported; }
cudaError_t capture_event_wait(struct CUstream_st *s, cudaEvent_t e) { (void)s; (void)e; return cudaErrorNotSupported; }
