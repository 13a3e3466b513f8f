/* vtable.c: objects with virtual functions.
 *
 * On a GPU an object that the host has made has the host's table of functions. Here both sides have one table, so what
 * is kept is who has made objects of a class: the host, to hand them to the device, or a kernel. */
#define _GNU_SOURCE
#include <string.h>
#include <pthread.h>

#include "memory/memcheck.h"
#include "core/layout.h"
#include "core/tools.h"
#include "core/worker.h"
#include "core/lock.h"

typedef struct vtable_set {
    uintptr_t at[64];
    unsigned count;
} vtable_set;

static vtable_set made_by_host, made_by_kernel;

static int in_set(const vtable_set *s, uintptr_t v)
{
    unsigned n = __atomic_load_n(&s->count, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < n; i++)
        if (s->at[i] == v)
            return 1;
    return 0;
}

static void add_to_set(vtable_set *s, uintptr_t v)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (in_set(s, v))
        return;
    check_lock(&lock);
    if (!in_set(s, v) && s->count < 64) {
        s->at[s->count] = v;
        __atomic_store_n(&s->count, s->count + 1, __ATOMIC_RELEASE);
    }
    check_unlock(&lock);
}

// What a pointer to a table of functions points to: before it stand an offset,
// 0 or negative, and the type (type_info: two pointers, the second to a name).
static int is_vtable(uintptr_t v)
{
    if (v % 8 || v - check_program.fixed_lo < 16 || v - check_program.fixed_lo >= check_program.fixed_bytes)
        return 0;
    const uintptr_t *t = (const uintptr_t *)v;
    long offset = (long)t[-2];
    if (offset > 0 || offset < -4096 || t[0] - check_program.text_lo >= check_program.text_bytes)
        return 0;
    return t[-1] % 8 == 0 && t[-1] - check_program.fixed_lo + 16 <= check_program.fixed_bytes &&
           ((const uintptr_t *)t[-1])[1] - check_program.text_lo < check_program.text_bytes;
}

void check_note_vtables(const void *p, size_t bytes)
{
    if (bytes > 65536)
        bytes = 65536;
    if ((uintptr_t)p % 8 || bytes < 8 || !check_readable(p) || !check_readable((const char *)p + bytes - 1))
        return;
    for (const uintptr_t *v = p; (const char *)(v + 1) <= (const char *)p + bytes; v++)
        if (*v - check_program.fixed_lo < check_program.fixed_bytes && is_vtable(*v))
            add_to_set(&made_by_host, *v);
}

void check_vtable_read(uintptr_t a, void *pc)
{
    uintptr_t v = a;
    for (int i = 0; i < 64 && v - check_program.fixed_lo < check_program.fixed_bytes && !is_vtable(v); i++)
        v -= 8;
    if (!in_set(&made_by_host, v) || in_set(&made_by_kernel, v))
        return;
    check_misuse(TOOL_MEM, "host-object", "a virtual function is called on an object that the host made",
                 "the object holds the address of the host's table of functions, which means nothing on the device: "
                 "construct it in a kernel (new, or placement new)",
                 pc);
}

/* An object with this table of functions is made, by the running thread. */
void check_vtable_made(uintptr_t v) { add_to_set(check_self.in_kernel ? &made_by_kernel : &made_by_host, v); }
