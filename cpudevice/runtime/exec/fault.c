/* fault.c: kernels that fail: assertions, traps, and what the CPU refuses. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "exec/fault.h"
#include "stream/command.h"
#include "cpudevice.h"
#include "launch/kernel_info.h"
#include "memory/memory.h"
#include "observe/observer.h"
#include "device/message.h"
#include "observe/tell_block.h"
#include "exec/thread.h"

void cpudev_trap(void)
{
    if (!cpudev_on_device())
        abort();
    cpudev_hold(); /* until fail_kernel(), here and below: the watchdog gives it no other reason */
    char place[512];
    describe_place(place, sizeof place);
    message("__trap() in %s", place);
    tell_mistake(CPUDEV_SYNC_ASSERT, __builtin_return_address(0), 0);
    fail_kernel(cudaErrorLaunchFailure);
}

void cpudev_unsupported(const char *why)
{
    char place[512];
    if (cpudev_on_device()) {
        describe_place(place, sizeof place);
        message("%s; it was reached in %s", why, place);
        fail_kernel(cudaErrorNotSupported);
    }
    message("%s", why);
    abort();
}

void cpudev_assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
    if (!cpudev_on_device())
        __assert_fail(expression, file, line, function);
    cpudev_hold();
    fflush(stdout);
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
            kernel_display(this_worker->command->kernel), blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
            threadIdx.z, expression);
    tell_mistake(CPUDEV_SYNC_ASSERT, __builtin_return_address(0), 0);
    fail_kernel(cudaErrorAssert);
}

static struct sigaction previous_segv, previous_bus, previous_fpe, previous_ill;

static void on_fault(int sig, siginfo_t *info, void *context)
{
    (void)context;
    uintptr_t address = (uintptr_t)info->si_addr;
    cpudev_worker *w = this_worker;
    if (w && w->in_kernel) {
        cpudev_hold();
        char place[512];
        describe_place(place, sizeof place);
        const char *what = "is in no allocation";
        cudaError_t error = cudaErrorIllegalAddress;
        if (sig == SIGFPE) {
            message("integer division by zero in %s", place);
            fail_kernel(cudaErrorLaunchFailure);
        }
        if (sig == SIGILL) {
            message("illegal instruction in %s", place);
            fail_kernel(cudaErrorIllegalInstruction);
        }
        if (w->stacks.memory && address >= (uintptr_t)w->stacks.memory &&
            address < (uintptr_t)w->stacks.memory + w->stacks.bytes * w->stacks.count) {
            what = "is past the thread's stack: too much recursion or too large local arrays "
                   "(cudaDeviceSetLimit(cudaLimitStackSize) raises it)";
            error = cudaErrorLaunchFailure;
        } else if (address < 65536)
            what = "is a null pointer (with an offset)";
        if (sig == SIGSEGV && info->si_code == SI_KERNEL) /* x86 says no address then */
            message("an address in %s is misaligned for what is read or written there, or is not a valid address",
                    place);
        else
            message("illegal address %p in %s: it %s", info->si_addr, place, what);
        tell_fault(error == cudaErrorLaunchFailure, context);
        fail_kernel(error);
    }
    if (region_of((void *)address) == R_DEVICE)
        report_host_fault(address);
    /* not ours: whoever had the signal before */
    struct sigaction *old = sig == SIGSEGV  ? &previous_segv
                            : sig == SIGBUS ? &previous_bus
                            : sig == SIGFPE ? &previous_fpe
                                            : &previous_ill;
    if (old->sa_flags & SA_SIGINFO && old->sa_sigaction)
        old->sa_sigaction(sig, info, context);
    else if (old->sa_handler == SIG_DFL || old->sa_handler == SIG_IGN) {
        signal(sig, SIG_DFL);
        /* returning runs the instruction again, which now ends the process */
    } else
        old->sa_handler(sig);
}

void install_fault_handler(void)
{
    struct sigaction a = {0};
    a.sa_sigaction = on_fault;
    a.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&a.sa_mask);
    sigaction(SIGSEGV, &a, &previous_segv);
    sigaction(SIGBUS, &a, &previous_bus);
    sigaction(SIGFPE, &a, &previous_fpe);
    sigaction(SIGILL, &a, &previous_ill);
}

void arm_alternate_stack(void)
{
    stack_t s = {0};
    s.ss_size = 64 * 1024;
    s.ss_sp = mmap(NULL, s.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (s.ss_sp != MAP_FAILED)
        sigaltstack(&s, NULL);
}
