/* grid_sync.c: grid.sync(): all threads of the grid meet. */
#define _GNU_SOURCE
#include "stream/command.h"
#include "cpudevice.h"
#include "exec/grid.h"
#include "device/message.h"
#include "observe/observers.h"
#include "observe/tell_block.h"
#include "exec/thread.h"

int cpudev_grid_is_cooperative(void) { return cpudev_tls.worker && cpudev_tls.worker->command->cooperative; }

void cpudev_grid_sync(void)
{
    cpudev_worker *w = cpudev_tls.worker;
    if (!w || !w->command->cooperative) {
        char place[512];
        describe_place(place, sizeof place);
        tell_mistake(CPUDEV_SYNC_GRID, __builtin_return_address(0), 0);
        message("grid.sync() in a kernel that was not launched by cudaLaunchCooperativeKernel: %s", place);
        fail_kernel(cudaErrorLaunchFailure);
    }
    unsigned sum = (unsigned)cpudev_syncthreads_reduce(1, 0);
    (void)sum;
    /* the first to come out of the block's barrier waits for the other blocks, on behalf of all */
    if (cpudev_tls.arrived == 0 && w->grid_epoch != cpudev_tls.epoch) {
        w->grid_epoch = cpudev_tls.epoch;
        TELL(grid_sync);
        unsigned left = grid_barrier(w->command);
        if (left) {
            char place[512];
            describe_place(place, sizeof place);
            tell_mistake(CPUDEV_SYNC_GRID_STUCK, __builtin_return_address(0), left);
            message("grid.sync() waits for ever: %u blocks have ended without it: %s", left, place);
            fail_kernel(cudaErrorLaunchFailure);
        }
    }
    cpudev_syncthreads();
}
