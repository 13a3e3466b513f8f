/* order.c: the order in which the blocks of a launch, and the threads of a block that are run one by one, begin.
 *
 * CUDA promises none, so a program that is right is right in each.  Forward, by rising numbers, is the default; reverse
 * begins with the last; random:SEED is a permutation that depends on the seed and their number alone, so that a run can
 * be repeated.  It is computed for one place at a time, in no memory: a bijection of the numbers below the next power of
 * two is applied until the result is small enough. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exec/order.h"
#include "device/message.h"

static enum { FORWARD, REVERSE, RANDOM } kind = FORWARD;

static uint64_t seed;

bool order_is_forward = true;

void order_init(void)
{
    const char *wish = getenv("CUDA_CPU_ORDER");
    if (!wish || !strcmp(wish, "forward"))
        return;
    if (!strcmp(wish, "reverse")) {
        kind = REVERSE;
        order_is_forward = false;
        return;
    }
    const char *number = strncmp(wish, "random:", 7) ? "" : wish + 7;
    errno = 0;
    seed = strtoull(number, NULL, 10);
    if (!*number || strspn(number, "0123456789") != strlen(number) || errno) {
        message("CUDA_CPU_ORDER must be forward, reverse or random:SEED with a number as SEED, not \"%s\"", wish);
        _exit(2);
    }
    kind = RANDOM;
    order_is_forward = false;
}

/* A bijection of the numbers of `bits` bits: each step can be undone. */
static uint64_t mixed(uint64_t x, unsigned bits)
{
    const uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : ~UINT64_C(0);
    uint64_t key = seed;
    for (int round = 0; round < 4; round++) {
        key = key * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        x = (x + (key >> 17)) & mask;
        x = x * (key >> 20 | 1) & mask;
        x ^= x >> (bits + 1) / 2;
    }
    return x;
}

unsigned long long order_number(unsigned long long place, unsigned long long count)
{
    if (kind == FORWARD || count < 2)
        return place;
    if (kind == REVERSE)
        return count - 1 - place;
    unsigned bits = 1;
    while (bits < 64 && (count - 1) >> bits)
        bits++;
    uint64_t x = place;
    do
        x = mixed(x, bits);
    while (x >= count);
    return x;
}
