/* peers.c: which block's shared memory an address is. */
#define _GNU_SOURCE
#include <pthread.h>

#include "race/peers.h"
#include "memory/area.h"
#include "cpudev_abi.h"
#include "cpudevice.h"
#include "core/layout.h"
#include "core/lock.h"

/* The blocks of clusters that run, a list. */
static struct {
    pthread_mutex_t lock;
    worker *first;
} blocks = {.lock = PTHREAD_MUTEX_INITIALIZER};

void check_peer_begin(worker *w)
{
    const dim3 size = cpudev_cluster_size();
    w->cluster.peer = NULL;
    w->cluster.in = size.x * size.y * size.z > 1;
    if (!w->cluster.in)
        return;
    check_lock(&blocks.lock);
    w->cluster.next_peer = blocks.first;
    blocks.first = w;
    check_unlock(&blocks.lock);
}

void check_peer_end(worker *w)
{
    if (!w->cluster.in)
        return;
    check_lock(&blocks.lock);
    worker **at = &blocks.first;
    while (*at != w)
        at = &(*at)->cluster.next_peer;
    *at = w->cluster.next_peer;
    check_unlock(&blocks.lock);
    w->cluster.in = 0;
}

static bool is_of_peer(worker *w, uintptr_t a)
{
    return w->cluster.peer && w->cluster.peer->op == w->op && is_shared(w->cluster.peer, a);
}

bool check_is_remote(worker *w, uintptr_t a)
{
    if (!w->cluster.in || a - check_heap.lo < check_heap.bytes || is_shared(w, a))
        return false;
    return is_of_peer(w, a) || (cpudev_is_cluster_shared((const void *)a) && !cpudev_is_shared((const void *)a));
}

worker *check_owner(worker *w, uintptr_t a)
{
    if (is_shared(w, a))
        return w;
    if (is_of_peer(w, a))
        return w->cluster.peer;
    w->cluster.peer = NULL;
    check_lock(&blocks.lock);
    for (worker *t = blocks.first; t && !w->cluster.peer; t = t->cluster.next_peer)
        if (t->op == w->op && is_shared(t, a))
            w->cluster.peer = t;
    check_unlock(&blocks.lock);
    return w->cluster.peer;
}

bool check_is_peer(worker *w, uint32_t block)
{
    if (!w->cluster.in)
        return false;
    const dim3 size = cpudev_cluster_size();
    bool is = false;
    check_lock(&blocks.lock);
    for (const worker *t = blocks.first; t && !is; t = t->cluster.next_peer)
        is = t != w && t->op == w->op && t->block_id == block && t->block[0] / size.x == w->block[0] / size.x &&
             t->block[1] / size.y == w->block[1] / size.y && t->block[2] / size.z == w->block[2] / size.z;
    check_unlock(&blocks.lock);
    return is;
}
