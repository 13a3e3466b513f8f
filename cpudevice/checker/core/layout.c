/* layout.c: where the checked program lies in memory, from its program headers. */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>
#include <errno.h>
#include <sys/mman.h>
#include <link.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "core/layout.h"
#include "cpudev_must.h"

struct program_layout check_program;

void *check_reserve(size_t bytes, int prot)
{
    void *p = mmap(NULL, bytes, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void *check_must_reserve(size_t bytes, int prot) { return must(check_reserve(bytes, prot)); }

/* Can the byte be touched without a fault? Where a system does not let a process read itself by the first call (some containers'
 * do not), the second one, whose first argument is wrong, says which of its arguments it has come to. */
int check_readable(const void *p)
{
    char c;
    struct iovec to = {&c, 1}, from = {(void *)(uintptr_t)p, 1};
    ssize_t n = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
    if (n < 0 && errno != EFAULT)
        return syscall(SYS_rt_sigprocmask, -1, (uintptr_t)p & ~(uintptr_t)7, NULL, 8) == 0 || errno != EFAULT;
    return n == 1;
}

uintptr_t check_tls_start(void)
{
    size_t al = check_program.tls_align ? check_program.tls_align : 1;
#if defined(__x86_64__)
    uintptr_t tp; // gcc 10 has no __builtin_thread_pointer() here
    __asm__("movq %%fs:0, %0" : "=r"(tp));
    return tp - (check_program.tls_bytes + al - 1) / al * al;
#else
    uintptr_t tp = (uintptr_t)__builtin_thread_pointer();
    return tp + (16 + al - 1) / al * al;
#endif
}

static int find_layout(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    uintptr_t lo = ~(uintptr_t)0, hi = 0, dlo = ~(uintptr_t)0, dhi = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t a = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_TLS) {
            check_program.tls_bytes = p->p_memsz;
            check_program.tls_align = p->p_align;
        }
        if (p->p_type == PT_GNU_RELRO) {
            check_program.fixed_lo = a;
            check_program.fixed_bytes = p->p_memsz;
        }
        if (p->p_type != PT_LOAD)
            continue;
        if (p->p_flags & PF_W) {
            if (a < dlo)
                dlo = a;
            if (a + p->p_memsz > dhi)
                dhi = a + p->p_memsz;
        } else {
            if (a < lo)
                lo = a;
            if (a + p->p_memsz > hi)
                hi = a + p->p_memsz;
        }
    }
    check_program.text_lo = lo;
    check_program.text_bytes = hi - lo;
    check_program.data_lo = dlo & ~(uintptr_t)4095;
    check_program.data_bytes = dhi - check_program.data_lo;
    return 1; // the program itself comes first
}

void check_layout_init(void)
{
    if (check_program.text_bytes)
        return;
    dl_iterate_phdr(find_layout, NULL);
}
