/* grid.c: blocks of a cooperative launch meet at the grid's barrier. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

#include "exec/grid.h"
#include "exec/cluster.h"
#include "stream/command.h"
#include "device/device_state.h"
#include "exec/thread.h"
#include "exec/turn.h"

static pthread_mutex_t grid_mutex = PTHREAD_MUTEX_INITIALIZER;

static pthread_cond_t grid_cond = PTHREAD_COND_INITIALIZER;

unsigned grid_barrier(command *c)
{
    const unsigned long long blocks = (unsigned long long)volume(c->grid);
    unsigned left = 0;
    cluster_release(this_worker);
    if (c->turns)
        turn_grid_arrive(this_worker, c->turns);
    pthread_mutex_lock(&grid_mutex);
    unsigned generation = c->at_grid.generation;
    if (++c->at_grid.arrived == blocks) {
        c->at_grid.arrived = 0;
        if (c->turns)
            turn_grid_release(c->turns);
        c->at_grid.generation++;
        pthread_cond_broadcast(&grid_cond);
    } else
        while (c->at_grid.generation == generation && !sticky_error()) {
            if (c->at_grid.left && c->at_grid.arrived + c->at_grid.left == blocks) {
                left = c->at_grid.left;
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
    cluster_acquire(this_worker);
    if (c->turns)
        turn_grid_leave(c->turns);
    return left;
}

void grid_left(command *c)
{
    pthread_mutex_lock(&grid_mutex);
    c->at_grid.left++;
    pthread_cond_broadcast(&grid_cond);
    pthread_mutex_unlock(&grid_mutex);
}
