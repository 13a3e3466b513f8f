/* links.c: operations that have seen releases of others, which ran beside them. What one has seen at its end is known to
 * all that come after it, as its own accesses are. */
#include <stdlib.h>

#include "race/links.h"
#include "cpudev_must.h"

int check_links;

/* chain - first_chain: the operation whose releases it has. */
static uint32_t *chain_ops, chains, chains_room, first_chain = 1;

uint32_t check_chain_new(const check_op *op)
{
    if (chains == chains_room) {
        chains_room = chains_room ? 2 * chains_room : 64;
        chain_ops = must(realloc(chain_ops, chains_room * sizeof *chain_ops));
    }
    chain_ops[chains] = op->id;
    return first_chain + chains++;
}

uint32_t check_chain_op(uint32_t chain) { return chain - first_chain < chains ? chain_ops[chain - first_chain] : 0; }

/* Does the clock name a chain of another operation than op? */
static int names_others(const check_clock *c, const check_op *op)
{
    for (uint32_t i = 0; c && i < c->count; i++)
        if (check_chain_op(c->of[i].chain) != op->id)
            return 1;
    return 0;
}

void check_links_end(check_op *op, check_clock *known)
{
    if (!names_others(known, op))
        return;
    check_links += !op->ends;
    check_clock_add(&op->ends, known);
}

check_clock *check_inherited(check_op *op)
{
    if (op->inherits || !check_links)
        return op->inherited;
    op->inherits = 1;
    for (uint32_t id = op->id; --id;) {
        const check_op *o = check_op_by_id(id);
        if (!o)
            break;
        if (o->ends && check_op_before(id, op))
            check_clock_add(&op->inherited, o->ends);
    }
    return op->inherited;
}

void check_links_forget(void)
{
    first_chain += chains;
    chains = check_links = 0;
}
