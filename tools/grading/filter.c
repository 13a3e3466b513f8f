/* filter.c: the system calls that a lab needs while it runs, as a program for seccomp. All others fail with EPERM: new
 * processes, sockets, signals to others, tracing, mounting. A new thread is a clone with CLONE_THREAD; clone3, whose
 * flags a filter cannot read, is "not implemented", and the C library then falls back to clone. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0
#endif

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS SECCOMP_RET_KILL
#endif

#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static struct sock_filter rules[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    /* a thread */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    /* memory */
    ALLOW(SYS_mmap),
    ALLOW(SYS_munmap),
    ALLOW(SYS_mremap),
    ALLOW(SYS_mprotect),
    ALLOW(SYS_madvise),
    ALLOW(SYS_brk),
    /* files: only what the sandbox shows can be opened */
    ALLOW(SYS_read),
    ALLOW(SYS_write),
    ALLOW(SYS_readv),
    ALLOW(SYS_writev),
    ALLOW(SYS_pread64),
    ALLOW(SYS_lseek),
    ALLOW(SYS_openat),
    ALLOW(SYS_close),
    ALLOW(SYS_fstat),
    ALLOW(SYS_newfstatat),
    ALLOW(SYS_faccessat),
    ALLOW(SYS_readlinkat),
    ALLOW(SYS_getdents64),
    ALLOW(SYS_ioctl),
    ALLOW(SYS_fcntl),
    ALLOW(SYS_dup),
#ifdef SYS_access
    ALLOW(SYS_access),
#endif
#ifdef SYS_readlink
    ALLOW(SYS_readlink),
#endif
#ifdef SYS_open
    ALLOW(SYS_open),
#endif
#ifdef SYS_stat
    ALLOW(SYS_stat),
#endif
#ifdef SYS_arch_prctl
    ALLOW(SYS_arch_prctl),
#endif
    /* threads, time, the process itself */
    ALLOW(SYS_futex),
    ALLOW(SYS_set_robust_list),
    ALLOW(SYS_rseq),
    ALLOW(SYS_set_tid_address),
    ALLOW(SYS_gettid),
    ALLOW(SYS_getpid),
    ALLOW(SYS_sched_yield),
    ALLOW(SYS_sched_getaffinity),
    ALLOW(SYS_membarrier),
    ALLOW(SYS_nanosleep),
    ALLOW(SYS_clock_nanosleep),
    ALLOW(SYS_clock_gettime),
    ALLOW(SYS_clock_getres),
    ALLOW(SYS_gettimeofday),
    ALLOW(SYS_rt_sigaction),
    ALLOW(SYS_rt_sigprocmask),
    ALLOW(SYS_rt_sigreturn),
    ALLOW(SYS_sigaltstack),
    ALLOW(SYS_tgkill),
    ALLOW(SYS_prctl),
    ALLOW(SYS_prlimit64),
    ALLOW(SYS_sysinfo),
    ALLOW(SYS_uname),
    ALLOW(SYS_getrandom),
    ALLOW(SYS_getrusage),
    ALLOW(SYS_times),
    ALLOW(SYS_exit),
    ALLOW(SYS_exit_group),
    ALLOW(SYS_restart_syscall),
    ALLOW(SYS_getcpu),
    /* how the checker looks at memory that may not be there: its own */
    ALLOW(SYS_process_vm_readv),
    /* bubblewrap's own last step */
    ALLOW(SYS_execve),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
};

int filter_open(void)
{
    int fd = ARCHITECTURE ? memfd_create("filter", 0) : -1;
    if (fd >= 0 && (write(fd, rules, sizeof rules) != sizeof rules || lseek(fd, 0, SEEK_SET) != 0)) {
        close(fd);
        return -1;
    }
    return fd;
}
