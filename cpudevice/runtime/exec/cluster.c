/* cluster.c: the blocks of a cluster take turns on OS threads of their own. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "exec/cluster.h"
#include "device/device_state.h"
#include "device/message.h"
#include "observe/observers.h"
#include "exec/order.h"
#include "exec/os_thread.h"
#include "device/sizes.h"
#include "exec/turn.h"
#include "cpudev_must.h"

enum { QUIET = 2 /* circles of the baton in which no block got on: they are deadlocked */ };

typedef struct member {
    cpudev_worker *worker; /* NULL until its OS thread has begun */
    pthread_cond_t go;
    bool alive, begun;  /* of its block of the cluster that runs */
    unsigned stamp;     /* how far it had come when it got the baton */
    unsigned char told; /* the phase of the cluster's barrier that observers have heard of */
    unsigned char arrived[MAX_THREADS], phase[MAX_THREADS]; /* at the cluster's barrier, of each thread */
} member;

typedef struct cluster {
    pthread_mutex_t lock; /* guards `runs` and `quit` alone: the rest belongs to who has the baton */
    unsigned runs;        /* rank of the block that has the baton */
    bool quit;
    unsigned size, mates; /* blocks; OS threads besides the leader's */
    command *command;
    unsigned long long unit;
    const cluster_calls *calls;
    unsigned still; /* blocks in a row that did not get on */
    int failed;     /* cudaError_t */
    /* barrier.cluster */
    unsigned live, arrived; /* threads */
    unsigned char phase;
    member member[CLUSTER_MOST];
} cluster;

/* ---- the baton ---- */

static unsigned stamp_of(const cpudev_worker *w)
{
    return w->progress + w->tls->epoch + w->tls->arrived + w->watch.ended;
}

/* The next block that has not ended, from rank + 1 on; the leader's if there is none, as it waits for the end. */
static unsigned next_alive(const cluster *k, unsigned rank)
{
    for (unsigned i = 1; i <= k->size; i++)
        if (k->member[(rank + i) % k->size].alive)
            return (rank + i) % k->size;
    return 0;
}

static void give(cluster *k, unsigned rank)
{
    pthread_mutex_lock(&k->lock);
    k->runs = rank;
    pthread_cond_signal(&k->member[rank].go);
    pthread_mutex_unlock(&k->lock);
}

/* false: the OS thread is to end. */
static bool await(cluster *k, unsigned rank)
{
    pthread_mutex_lock(&k->lock);
    while (k->runs != rank && !k->quit)
        pthread_cond_wait(&k->member[rank].go, &k->lock);
    const bool quit = k->quit;
    pthread_mutex_unlock(&k->lock);
    return !quit;
}

/* The turn among blocks that communicate (turn.c) is the cluster's. */
static void take_turn_from(cpudev_worker *w, const cpudev_worker *before)
{
    w->turn.held = before->turn.held;
    w->turn.changed = before->turn.changed;
}

/* The running block hands the baton on and goes on when it comes back, with another block's failure as its own. */
static void hand_over(cpudev_worker *w, unsigned to)
{
    cluster *k = w->cluster;
    member *me = &k->member[w->rank];
    if (k->member[to].worker)
        take_turn_from(k->member[to].worker, w);
    w->turn.waits = 1;
    give(k, to);
    await(k, w->rank);
    w->turn.waits = 0;
    if (k->failed)
        fail_kernel(k->failed);
    me->stamp = stamp_of(w);
}

bool cluster_pass(cpudev_worker *w)
{
    cluster *k = w->cluster;
    if (!k)
        return false;
    const unsigned to = next_alive(k, w->rank);
    if (to == w->rank)
        return false;
    k->still = stamp_of(w) == k->member[w->rank].stamp ? k->still + 1 : 0;
    if (k->still > QUIET * k->size)
        return false;
    hand_over(w, to);
    return true;
}

bool cluster_yield(cpudev_worker *w)
{
    cluster *k = w->cluster;
    if (!k || next_alive(k, w->rank) == w->rank)
        return false;
    k->still = 0;
    hand_over(w, next_alive(k, w->rank));
    return true;
}

void cluster_release(cpudev_worker *w)
{
    cluster *k = w->cluster;
    if (k && next_alive(k, w->rank) != w->rank)
        give(k, next_alive(k, w->rank));
}

void cluster_acquire(cpudev_worker *w)
{
    if (w->cluster && next_alive(w->cluster, w->rank) != w->rank)
        await(w->cluster, w->rank);
}

/* ---- a block ---- */

static void place_block(cpudev_worker *w, const cluster *k)
{
    const dim3 size = k->command->cluster, grid = k->command->grid;
    const unsigned across = grid.x / size.x, down = grid.y / size.y;
    const unsigned long long unit = order_number(k->unit, k->command->units);
    blockIdx.x = (unsigned)(unit % across) * size.x + w->rank % size.x;
    blockIdx.y = (unsigned)(unit / across % down) * size.y + w->rank / size.x % size.y;
    blockIdx.z = (unsigned)(unit / across / down) * size.z + w->rank / size.x / size.y;
    w->unit = k->unit;
    w->block_end = k->unit + 1;
    w->block = blockIdx.x + (unsigned long long)grid.x * (blockIdx.y + (unsigned long long)grid.y * blockIdx.z);
}

static void run_member(cpudev_worker *w, cluster *k, unsigned rank)
{
    member *me = &k->member[rank];
    w->cluster = k;
    w->rank = rank;
    me->begun = true;
    me->stamp = 0;
    place_block(w, k);
    if (!k->failed) {
        w->abort_status = 0;
        k->calls->run(w, k->command);
        if (w->abort_status)
            k->failed = w->abort_status;
    }
    me->alive = false;
    k->still = 0;
    w->cluster = NULL;
}

/* ---- mates: OS threads that run the blocks from rank 1 on ---- */

typedef struct mate {
    cluster *cluster;
    unsigned rank;
} mate;

static void *mate_main(void *argument)
{
    const mate me = *(mate *)argument;
    cluster *k = me.cluster;
    free(argument);
    cpudev_worker *w = k->calls->ready();
    pthread_mutex_lock(&k->lock);
    k->member[me.rank].worker = w;
    pthread_cond_broadcast(&k->member[me.rank].go);
    pthread_mutex_unlock(&k->lock);
    while (await(k, me.rank)) {
        run_member(w, k, me.rank);
        const unsigned to = next_alive(k, me.rank);
        take_turn_from(k->member[to].worker, w);
        give(k, to);
    }
    pthread_mutex_lock(&k->lock);
    k->mates--;
    pthread_cond_signal(&k->member[0].go);
    pthread_mutex_unlock(&k->lock);
    return NULL;
}

/* As many OS threads as the cluster has blocks. false: the machine has no more. */
static bool ready_mates(cluster *k, unsigned size)
{
    for (; k->mates + 1 < size; k->mates++) {
        mate *next = malloc(sizeof *next);
        if (!next)
            out_of_memory();
        *next = (mate){k, k->mates + 1};
        member *m = &k->member[next->rank];
        if (!start_os_thread(mate_main, next)) {
            free(next);
            return false;
        }
        pthread_mutex_lock(&k->lock);
        while (!m->worker)
            pthread_cond_wait(&m->go, &k->lock);
        pthread_mutex_unlock(&k->lock);
    }
    return true;
}

/* The leader's OS thread ends. */
void cluster_free(cpudev_worker *w)
{
    cluster *k = w->own_cluster;
    pthread_mutex_lock(&k->lock);
    k->quit = true;
    for (unsigned i = 1; i < CLUSTER_MOST; i++)
        pthread_cond_signal(&k->member[i].go);
    while (k->mates)
        pthread_cond_wait(&k->member[0].go, &k->lock);
    pthread_mutex_unlock(&k->lock);
    free(k);
    w->own_cluster = NULL;
}

static cluster *cluster_new(cpudev_worker *w)
{
    cluster *k = calloc(1, sizeof *k);
    if (!k)
        out_of_memory();
    pthread_mutex_init(&k->lock, NULL);
    for (unsigned i = 0; i < CLUSTER_MOST; i++)
        pthread_cond_init(&k->member[i].go, NULL);
    k->member[0].worker = w;
    return k;
}

/* ---- clusters of a launch ---- */

static void begin_cluster(cluster *k, unsigned long long unit)
{
    k->unit = unit;
    k->still = 0;
    k->arrived = 0;
    k->live = k->size * volume(k->command->block);
    for (unsigned i = 0; i < k->size; i++) {
        k->member[i].alive = true;
        k->member[i].begun = false;
        memset(k->member[i].arrived, 0, sizeof k->member[i].arrived);
    }
}

unsigned long long run_clusters(cpudev_worker *w, command *c, unsigned long long first, unsigned long long end,
                                const cluster_calls *calls)
{
    if (!w->own_cluster)
        w->own_cluster = cluster_new(w);
    cluster *k = w->own_cluster;
    k->command = c;
    k->size = volume(c->cluster);
    k->calls = calls;
    k->failed = 0;
    calls->ready();
    if (!ready_mates(k, k->size)) {
        message("no OS threads for a cluster of %u blocks", k->size);
        set_sticky(cudaErrorLaunchOutOfResources);
        return end - first;
    }
    for (unsigned long long unit = first; unit < end && !k->failed; unit++) {
        begin_cluster(k, unit);
        w->unit = unit;
        if (c->turns)
            turn_block_begin(w, c->turns);
        run_member(w, k, 0);
        while (next_alive(k, 0) || k->member[0].alive) {
            const unsigned to = next_alive(k, 0);
            take_turn_from(k->member[to].worker, w);
            give(k, to);
            await(k, 0);
        }
        if (c->turns) {
            w->command = c;
            turn_block_end(w, c->turns, k->failed != 0);
            w->command = NULL;
        }
    }
    return end - first;
}

/* ---- what the blocks know of each other ---- */

cpudev_worker *cluster_member(unsigned rank)
{
    cpudev_worker *w = this_worker;
    if (!w || !w->cluster)
        return rank ? NULL : w;
    return rank < w->cluster->size ? w->cluster->member[rank].worker : NULL;
}

bool cluster_has_ended(unsigned rank)
{
    const cluster *k = this_worker ? this_worker->cluster : NULL;
    return k && rank < k->size && !k->member[rank].alive;
}

unsigned cluster_rank(void) { return this_worker && this_worker->cluster ? this_worker->rank : 0; }

/* ---- the cluster's barrier ("barrier.cluster") ---- */

/* A launch without clusters has clusters of one block. */
static cluster *cluster_of(cpudev_worker *w)
{
    if (w->cluster)
        return w->cluster;
    if (!w->own_cluster)
        w->own_cluster = cluster_new(w);
    cluster *k = w->own_cluster;
    k->command = w->command;
    k->size = 1;
    k->failed = 0;
    w->rank = 0;
    begin_cluster(k, w->block);
    k->live = cpudev_tls.live;
    k->member[0].begun = true;
    return w->cluster = k;
}

static void complete_barrier(cpudev_worker *w, cluster *k)
{
    if (!k->live || k->arrived < k->live)
        return;
    k->arrived = 0;
    k->phase++;
    if (observed.threads && k->size > 1)
        TELL(point, CPUDEV_POINT_PHASE, &k->phase, NULL);
    for (unsigned i = 0; i < k->size; i++)
        memset(k->member[i].arrived, 0, w->threads);
    w->progress++;
}

void cluster_arrive(cpudev_worker *w, unsigned thread)
{
    cluster *k = cluster_of(w);
    member *me = &k->member[w->rank];
    if (me->arrived[thread]) {
        message("barrier.cluster.arrive: the thread arrives a second time without a wait in between");
        fail_kernel(cudaErrorIllegalInstruction);
    }
    me->arrived[thread] = 1;
    me->phase[thread] = k->phase;
    k->arrived++;
    complete_barrier(w, k);
}

bool cluster_barrier_passed(cpudev_worker *w, unsigned thread)
{
    const cluster *k = cluster_of(w);
    return k->phase != k->member[w->rank].phase[thread];
}

const void *cluster_object(void)
{
    const cluster *k = this_worker ? this_worker->cluster : NULL;
    return k && k->size > 1 ? &k->phase : NULL;
}

bool cluster_barrier_news(cpudev_worker *w)
{
    const cluster *k = cluster_of(w);
    member *me = &w->cluster->member[w->rank];
    const bool news = me->told != k->phase;
    me->told = k->phase;
    return news;
}

void cluster_thread_ended(cpudev_worker *w, unsigned thread)
{
    cluster *k = w->cluster;
    member *me = &k->member[w->rank];
    k->live--;
    if (me->arrived[thread]) {
        me->arrived[thread] = 0;
        k->arrived--;
    }
    complete_barrier(w, k);
}
