/* grid.c: barriers of the whole grid. */
#define _GNU_SOURCE
#include <time.h>

#include "runtime.h"
#include "tell.h"

static pthread_mutex_t grid_mutex = PTHREAD_MUTEX_INITIALIZER;

static pthread_cond_t grid_cond = PTHREAD_COND_INITIALIZER;

unsigned grid_barrier(command *c)
{
    unsigned left = 0;
    pthread_mutex_lock(&grid_mutex);
    unsigned generation = c->grid_generation;
    if (++c->grid_arrived == c->units) {
        c->grid_arrived = 0;
        c->grid_generation++;
        pthread_cond_broadcast(&grid_cond);
    } else
        while (c->grid_generation == generation && !sticky_error()) {
            if (c->grid_left && c->grid_arrived + c->grid_left == c->units) {
                left = c->grid_left;
                break;
            }
            struct timespec until;
            clock_gettime(CLOCK_REALTIME, &until);
            until.tv_nsec += 50000000;
            if (until.tv_nsec >= 1000000000) {
                until.tv_nsec -= 1000000000;
                until.tv_sec++;
            }
            pthread_cond_timedwait(&grid_cond, &grid_mutex, &until);
        }
    pthread_mutex_unlock(&grid_mutex);
    return left;
}

void grid_left(command *c)
{
    pthread_mutex_lock(&grid_mutex);
    c->grid_left++;
    pthread_cond_broadcast(&grid_cond);
    pthread_mutex_unlock(&grid_mutex);
}

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
