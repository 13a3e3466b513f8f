/* nccl_comm.h: what the parts of NCCL share: communicators, and how an error is reported. */
#ifndef NCCL_COMM_H
#define NCCL_COMM_H

#include <stdatomic.h>
#include <stdbool.h>

#include "nccl.h"

/* An operator that multiplies first. Its number says whose it is: no other communicator has the same. */
typedef struct scaled_sum {
    struct scaled_sum *next;
    int number;
    ncclDataType_t type;
    const void *on_device;               /* NULL: it is `scalar` */
    _Alignas(8) unsigned char scalar[8]; /* of the type */
} scaled_sum;

struct ncclComm {
    struct ncclComm *next; /* of all that are in use */
    atomic_bool finalized;
    scaled_sum *sums;
};

/* Of nccl_group.c: keeps the text for ncclGetLastError(), remembers the first error of the thread's group, and returns
 * the error. */
__attribute__((format(printf, 2, 3))) ncclResult_t nccl_fail(ncclResult_t error, const char *format, ...);
ncclResult_t nccl_failed_call(cudaError_t error); /* of the runtime, whose last error is cleared */

/* A send, or a receive, of these bytes: it waits in the thread's group, or is an error without one. */
ncclResult_t nccl_wait_for_group(bool send, ncclComm_t comm, void *buffer, size_t bytes, cudaStream_t stream);

/* Of nccl.c: is this a communicator that is in use? If not, the caller returns the error. */
ncclResult_t nccl_in_use(ncclComm_t comm, const char *caller);

#endif
