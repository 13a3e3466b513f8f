/* peers.c: which block's shared memory an address is. */
#define _GNU_SOURCE
#include <pthread.h>

#include "peers.h"
#include "area.h"
#include "cpudev_ptx_memory.h"
#include "cpudevice.h"
#include "layout.h"

enum { BLOCKS = 512 /* of clusters that run at a time */ };

static struct {
    pthread_mutex_t lock;
    worker *of[BLOCKS];
} blocks = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* One place of the table from `from` to `to`. */
static void replace(const worker *from, worker *to)
{
    pthread_mutex_lock(&blocks.lock);
    for (int i = 0; i < BLOCKS; i++)
        if (blocks.of[i] == from) {
            blocks.of[i] = to;
            break;
        }
    pthread_mutex_unlock(&blocks.lock);
}

void check_peer_begin(worker *w)
{
    const dim3 size = cpudev_cluster_size();
    w->peer = NULL;
    w->in_cluster = size.x * size.y * size.z > 1;
    if (w->in_cluster)
        replace(NULL, w);
}

void check_peer_end(worker *w)
{
    if (w->in_cluster)
        replace(w, NULL);
    w->in_cluster = 0;
}

static bool is_of_peer(worker *w, uintptr_t a) { return w->peer && w->peer->op == w->op && is_shared(w->peer, a); }

bool check_is_remote(worker *w, uintptr_t a)
{
    if (!w->in_cluster || a - check_heap.lo < check_heap.bytes || is_shared(w, a))
        return false;
    return is_of_peer(w, a) || (cpudev_is_cluster_shared((const void *)a) && !cpudev_is_shared((const void *)a));
}

worker *check_owner(worker *w, uintptr_t a)
{
    if (is_shared(w, a))
        return w;
    if (is_of_peer(w, a))
        return w->peer;
    w->peer = NULL;
    pthread_mutex_lock(&blocks.lock);
    for (int i = 0; i < BLOCKS && !w->peer; i++)
        if (blocks.of[i] && blocks.of[i]->op == w->op && is_shared(blocks.of[i], a))
            w->peer = blocks.of[i];
    pthread_mutex_unlock(&blocks.lock);
    return w->peer;
}
