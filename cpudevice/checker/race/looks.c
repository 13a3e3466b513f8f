/* looks.c: plain reads of words that others change atomically. */
#include <pthread.h>
#include <stdlib.h>

#include "race/looks.h"
#include "report/lines.h"
#include "cpudev_must.h"
#include "core/lock.h"

enum { LOOKS = 4096, HELD = 256 }; /* LOOKS is a power of two; more are not told apart */

static struct {
    void *pc;
    int to;
    uintptr_t a; /* the last word */
} looks[LOOKS];
static struct {
    void *pc;
    uintptr_t a;
    check_finding *finding;
} held[HELD];
static int held_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* With the lock. Its place in `looks`; -1: there is no room. */
static int look_at(void *pc)
{
    unsigned h = (unsigned)((uintptr_t)pc * 2654435761u >> 16);
    for (unsigned i = 0; i < LOOKS; i++) {
        unsigned k = (h + i) & (LOOKS - 1);
        if (!looks[k].pc)
            looks[k].pc = pc;
        if (looks[k].pc == pc)
            return (int)k;
    }
    return -1;
}

int check_look_of(void *pc)
{
    check_lock(&lock);
    const int i = pc ? look_at(pc) : -1;
    const int to = i < 0 ? 0 : looks[i].to;
    check_unlock(&lock);
    return to;
}

void check_look_leads(void *pc, uintptr_t a, int to)
{
    check_lock(&lock);
    const int i = pc ? look_at(pc) : -1;
    if (i >= 0) {
        looks[i].to |= to;
        looks[i].a = a;
    }
    check_unlock(&lock);
}

void check_hold_look(const check_finding *f, void *pc, uintptr_t a)
{
    check_lock(&lock);
    int i = 0;
    while (i < held_count && held[i].pc != pc)
        i++;
    if (i == held_count && i < HELD) {
        held[i].finding = must(malloc(sizeof *f));
        *held[i].finding = *f;
        held[i].pc = pc;
        held[i].a = a;
        held_count++;
    }
    check_unlock(&lock);
}

/* With the lock: what follows looks at a word in the line of pc. */
static int led_from_line(void *pc, uintptr_t a)
{
    int to = 0;
    for (int i = 0; i < LOOKS; i++)
        if (looks[i].to && looks[i].a == a && check_same_line(looks[i].pc, pc))
            to |= looks[i].to;
    return to;
}

void check_settle_looks(void)
{
    check_lock(&lock);
    int n = held_count;
    held_count = 0;
    for (int i = 0; i < n; i++) {
        const int k = look_at(held[i].pc);
        int to = k < 0 ? 0 : looks[k].to;
        if (!to)
            to = led_from_line(held[i].pc, held[i].a);
        check_finding *f = held[i].finding;
        f->only_note = to == LOOK_ATOMIC || to == (LOOK_ATOMIC | LOOK_CAS);
        if (f->only_note)
            f->cause = "a plain read before an atomic may see an old value, and is a data race by CUDA's memory model: "
                       "read by an atomic too (cuda::atomic_ref, relaxed), or leave it out";
        if (to != LOOK_CAS)
            check_report(f);
        free(f);
    }
    check_unlock(&lock);
}
