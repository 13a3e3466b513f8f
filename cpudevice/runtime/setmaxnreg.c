/* setmaxnreg.c: warpgroups give registers back and take more ("setmaxnreg" of the PTX ISA). A CPU's registers have nothing
 * to do with it: only the rules are kept. A warpgroup takes what others of its block have given back; how many registers
 * the block began with is ptxas's choice, so only what no block can ever have is refused. */
#define _GNU_SOURCE
#include <string.h>

#include "cpudev_ptx_wgmma.h"
#include "cpudevice.h"
#include "message.h"
#include "sizes.h"
#include "thread.h"

enum { LEAST = 24, MOST = 256, GRAIN = 8, OF_BLOCK = 65536, WARPGROUP = 128 };

/* What each warpgroup of the running block has asked for last. */
static __thread struct {
    unsigned long long block; /* cpudev_worker.begun */
    unsigned registers[MAX_THREADS / WARPGROUP];
} have;

static void refuse(const char *what, unsigned registers)
{
    char place[512];
    describe_place(place, sizeof place);
    message("setmaxnreg %u: %s: %s", registers, what, place);
    fail_kernel(cudaErrorIllegalInstruction);
}

void cpudev_setmaxnreg(unsigned registers, int increase)
{
    const cpudev_worker *w = cpudev_tls.worker;
    unsigned all = 0;
    (void)increase;
    if (have.block != w->begun) {
        memset(have.registers, 0, sizeof have.registers);
        have.block = w->begun;
    }
    if (registers % GRAIN || registers < LEAST || registers > MOST)
        refuse("registers a thread are a multiple of 8 from 24 to 256", registers);
    have.registers[cpudev_tid() / WARPGROUP] = registers;
    for (unsigned i = 0; i < MAX_THREADS / WARPGROUP; i++)
        all += have.registers[i] * WARPGROUP;
    if (all > OF_BLOCK)
        refuse("with those of the other warpgroups more than the 65536 registers of a multiprocessor: it would wait "
               "for ever",
               registers);
}
