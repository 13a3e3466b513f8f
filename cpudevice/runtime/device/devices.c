/* devices.c: how many devices there are, and which one is current for a thread. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/devices.h"
#include "device/message.h"

static int devices = 1;

static __thread int current;

void devices_init(void)
{
    const char *wish = getenv("CUDA_CPU_DEVICES");
    if (!wish)
        return;
    char *end;
    const long n = strtol(wish, &end, 10);
    if (end == wish || *end || n < 1 || n > MAX_DEVICES) {
        message("CUDA_CPU_DEVICES must be a number of devices from 1 to %d, not \"%s\"", MAX_DEVICES, wish);
        _exit(2);
    }
    devices = (int)n;
}

int device_count(void) { return devices; }

bool device_exists(int device) { return device >= 0 && device < devices; }

int current_device(void) { return current; }

void make_current(int device) { current = device; }

static atomic_bool peers[MAX_DEVICES][MAX_DEVICES]; /* [from][to] */

bool set_peer_access(int from, int to, bool may) { return atomic_exchange(&peers[from][to], may); }

bool may_access(int from, int to) { return from == to || atomic_load(&peers[from][to]); }

void forget_peer_access(int from)
{
    for (int to = 0; to < MAX_DEVICES; to++)
        atomic_store(&peers[from][to], false);
}
