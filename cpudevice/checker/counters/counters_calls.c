/* counters_calls.c: how often the host has called each function of the runtime. */
#include <pthread.h>
#include <stdlib.h>

#include "counters/counters_launches.h"
#include "cpudev_must.h"
#include "core/lock.h"

/* Names are the runtime's own string constants: one function has one name, at one address or a few. */
typedef struct called {
    const char *name;
    unsigned long long times;
    struct called *next;
} called;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static called *first;

void counters_call(const char *name)
{
    check_lock(&lock);
    called *c = first;
    while (c && c->name != name)
        c = c->next;
    if (!c) {
        c = must(calloc(1, sizeof *c));
        c->name = name;
        c->next = first;
        first = c;
    }
    c->times++;
    check_unlock(&lock);
}

void counters_calls_csv(FILE *csv)
{
    for (const called *c = first; c; c = c->next)
        fprintf(csv, "\"\",%s,call,%llu,0,0,0,0,0\n", c->name, c->times);
}
