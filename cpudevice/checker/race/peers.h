/* peers.h: the blocks of the running block's cluster, by their shared memory. Only one block of a cluster runs at a time
 * (runtime/exec/cluster.h), so what is looked up in another one's worker needs no lock. */
#ifndef CHECKER_PEERS_H
#define CHECKER_PEERS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/worker.h"

void check_peer_begin(worker *w);
void check_peer_end(worker *w); /* may be called twice */

/* Is it shared memory of another block of the cluster? */
bool check_is_remote(worker *w, uintptr_t a);
/* The block whose shared memory it is, if that has begun and not ended; else NULL. */
worker *check_owner(worker *w, uintptr_t a);
/* Is it another block of the running block's cluster? Then it stands still as long as this one runs. */
bool check_is_peer(worker *w, uint32_t block);

#endif
