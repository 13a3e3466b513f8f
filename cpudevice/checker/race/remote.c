/* remote.c: an access to the shared memory of another block of the cluster. */
#define _GNU_SOURCE
#include "race/remote.h"
#include "memory/area.h"
#include "sync/async.h"
#include "race/cluster.h"
#include "memory/memcheck.h"
#include "core/operation.h"
#include "race/race.h"
#include "race/shared.h"

void check_remote_access(worker *w, uintptr_t a, unsigned bytes, int flags, void *pc)
{
    bulk_failed();
    worker *t = check_owner_for(w, a, flags, pc);
    if (!t || w->op->killed)
        return;
    struct check_area *ar = area_of(t, a);
    const size_t off = a - ar->lo;
    const uint8_t owner = ar->owner[off];
    if (owner == 0 || owner == 253)
        return; /* the runtime's own thread-local data */
    if (owner == 255 || off + bytes > ar->bytes || ar->owner[off + bytes - 1] != owner) {
        check_out_of_bounds_shared(t, ar, a, bytes, flags, pc);
        return;
    }
    if (!(flags & A_RANGE) && a & (bytes - 1))
        check_misaligned(w, a, bytes, flags, pc);
    shared_touched(t);
    if (t->async.now)
        check_async_accessed(w, t, ar, a, bytes, flags, pc);
    check_visit_put(w, t, a, bytes, flags, pc);
}
