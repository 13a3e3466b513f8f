/* handles.c: streams and events that are lost.
 *
 * One that lives until the end is nobody's loss; but one whose variable was given another while it was alive can never
 * be destroyed, unless a copy of it is kept. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>

#include "host/errors.h"
#include "report/findings.h"
#include "observe/observer.h"
#include "core/tools.h"
#include "core/worker.h"
#include "cpudev_must.h"
#include "core/lock.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct handle {
    const char *what;
    const void *handle;
    void *place, *pc;
    int lost;
    struct handle *next;
} handle;

static handle *handles;

static unsigned handles_alive;

enum { HANDLES = 4096 }; // more are not watched

void check_handle_made(const char *what, const void *new, void *place)
{
    check_lock(&lock);
    for (handle *h = handles; h; h = h->next)
        if (h->place == place && h->handle == *(void **)place)
            h->lost = 1;
    handle *h = handles_alive < HANDLES ? must(malloc(sizeof *h)) : NULL;
    if (h) {
        handles_alive++;
        *h = (handle){what, new, place, cpudev_api.caller, 0, handles};
        handles = h;
    }
    check_unlock(&lock);
}

void check_handle_gone(const void *gone)
{
    check_lock(&lock);
    for (handle **at = &handles; *at; at = &(*at)->next)
        if ((*at)->handle == gone) {
            handle *h = *at;
            *at = h->next;
            free(h);
            handles_alive--;
            break;
        }
    check_unlock(&lock);
}

void check_lost_handles(void)
{
    for (const handle *h = handles; h; h = h->next) {
        if (!h->lost)
            continue;
        check_finding f = check_host_finding(TOOL_MEM, "leak");
        f.at.pc = h->pc;
        snprintf(f.title, sizeof f.title, "leak: %ss are created again and again in one variable, and never destroyed",
                 h->what);
        f.cause = "each iteration of a loop or each call of a function creates another: create it once, or destroy it "
                  "in the same iteration";
        check_report(&f);
    }
}
