/* replay.c: see replay.h. */
#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim.h"

/* The kernel reads where it is from here; shim.h declares it. */
Place replay_place;
void replay_barrier(void) { replay_place.barriers++; }

static Replay *active; /* -fsanitize=thread's calls carry no argument of ours */
static int orders[REPLAY_ARRAYS][2], block_now, thread_now;

int replay_watch(Replay *r, const void *base, size_t bytes)
{
    for (int i = 0; i < r->arrays; i++)
        if (r->array[i].base == base)
            return i;
    if (r->arrays == REPLAY_ARRAYS) {
        fputs("pictures: too many arrays are watched\n", stderr);
        exit(2);
    }
    r->array[r->arrays].base = base;
    r->array[r->arrays].bytes = bytes;
    return r->arrays++;
}

static void touched(const void *at, int bytes, int store)
{
    for (int i = 0; active && i < active->arrays; i++) {
        ptrdiff_t offset = (const char *)at - (const char *)active->array[i].base;
        if (offset < 0 || (size_t)offset >= active->array[i].bytes)
            continue;
        if (active->count == active->room) {
            active->room = active->room ? 2 * active->room : 4096;
            active->access = (Access *)realloc(active->access, active->room * sizeof(Access));
            if (!active->access) {
                fputs("pictures: no memory\n", stderr);
                exit(2);
            }
        }
        active->access[active->count++] =
            (Access){block_now, thread_now, orders[i][store]++, replay_place.barriers, i, store, bytes, offset};
        return;
    }
}

void replay_run(Replay *r, int gx, int gy, int bx, int by, void (*call)(void *), void *user)
{
    replay_place.grid = (Dim){gx, gy, 1};
    replay_place.block = (Dim){bx, by, 1};
    active = r;
    for (int b = 0; b < gx * gy; b++)
        for (int t = 0; t < bx * by; t++) {
            replay_place.block_index = (Dim){b % gx, b / gx, 0};
            replay_place.thread_index = (Dim){t % bx, t / bx, 0};
            replay_place.barriers = 0;
            block_now = b, thread_now = t;
            memset(orders, 0, sizeof orders);
            call(user);
        }
    active = NULL;
}

void replay_free(Replay *r)
{
    free(r->access);
    memset(r, 0, sizeof *r);
}

const Access *replay_find(const Replay *r, int array, int store, int block, int thread, int order)
{
    for (size_t i = 0; i < r->count; i++) {
        const Access *a = &r->access[i];
        if (a->array == array && a->store == store && a->block == block && a->thread == thread && a->order == order)
            return a;
    }
    return NULL;
}

int replay_sectors(const Replay *r, int array, int store, int block, int warp, int order)
{
    ptrdiff_t seen[1024];
    int n = 0;
    for (int lane = 0; lane < 32; lane++) {
        const Access *a = replay_find(r, array, store, block, warp * 32 + lane, order);
        for (ptrdiff_t sector = a ? a->offset / 32 : 1; a && sector <= (a->offset + a->bytes - 1) / 32; sector++) {
            int k = 0;
            while (k < n && seen[k] != sector)
                k++;
            if (k == n && n < 1024)
                seen[n++] = sector;
        }
    }
    return n;
}

int replay_turns(const Replay *r, int array, int store, int block, int warp, int order)
{
    ptrdiff_t words[32][32];
    int n[32] = {0}, most = 0;
    for (int lane = 0; lane < 32; lane++) {
        const Access *a = replay_find(r, array, store, block, warp * 32 + lane, order);
        if (!a)
            continue;
        ptrdiff_t word = a->offset / 4;
        int bank = (int)(word % 32), k = 0;
        while (k < n[bank] && words[bank][k] != word)
            k++;
        if (k == n[bank])
            words[bank][n[bank]++] = word;
        if (n[bank] > most)
            most = n[bank];
    }
    return most;
}

/* ---- what gcc -fsanitize=thread calls */
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
#define ACCESS(n)                                                                                                      \
    void __tsan_read##n(void *p) { touched(p, n, 0); }                                                                 \
    void __tsan_write##n(void *p) { touched(p, n, 1); }                                                                \
    void __tsan_unaligned_read##n(void *p) { touched(p, n, 0); }                                                       \
    void __tsan_unaligned_write##n(void *p) { touched(p, n, 1); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
void __tsan_read_range(void *p, unsigned long n) { touched(p, (int)n, 0); }
void __tsan_write_range(void *p, unsigned long n) { touched(p, (int)n, 1); }
