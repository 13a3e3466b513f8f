/* host_wait.h: host threads wait for work on streams. */
#ifndef HOST_WAIT_H
#define HOST_WAIT_H

#include "stream/stream_record.h"

cudaError_t stream_wait_all(struct CUstream_st *s);
cudaError_t wait_for_all_work(void);     /* and tells nobody */
cudaError_t wait_for_everything(void);   /* as cudaDeviceSynchronize */
cudaError_t wait_for_device(int device); /* as cudaDeviceSynchronize where there are several devices */
void wait_for_event(struct CUevent_st *event);
void help_until_completed(struct CUstream_st *s, unsigned long long seq); /* with the scheduler's lock */

#endif
