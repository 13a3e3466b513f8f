/* library.c: work of libraries on streams, and CPU libraries that are loaded when they are needed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "cpudev_abi.h"

typedef struct library_call {
    void (*body)(const void *);
    _Alignas(16) unsigned char arguments[LIBRARY_ARGUMENTS];
} library_call;

static void run_body(const void *closure)
{
    const library_call *c = closure;
    c->body(c->arguments);
}

/* A kernel's record is found by its name, as the profiler and the checker keep a kernel's figures by it. */
static cpudev_kernel *record_of(const char *name)
{
    enum { MOST = 512 };
    static cpudev_kernel records[MOST];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < MOST - 1 && records[i].name && strcmp(records[i].name, name))
        i++;
    if (!records[i].name) {
        records[i].name = records[i].pretty = name;
        records[i].file = "";
    }
    pthread_mutex_unlock(&lock);
    return &records[i];
}

cudaError_t library_launch_blocks(cudaStream_t stream, const char *name, int blocks,
                                  void (*body)(const void *arguments), const void *arguments, size_t bytes)
{
    static const cpudev_work work = {sizeof(library_call), 16, NULL, run_body, NULL};
    const dim3 grid = {(unsigned)blocks, 1, 1}, one = {1, 1, 1};
    if (bytes > LIBRARY_ARGUMENTS)
        abort();
    library_call c = {.body = body};
    memcpy(c.arguments, arguments, bytes);
    const cudaError_t before = cudaPeekAtLastError();
    cpudev_push_launch_at(grid, one, 0, stream, "", 0);
    cpudev_submit(record_of(name), &c, &work);
    const cudaError_t after = cudaPeekAtLastError();
    return after != before ? after : cudaSuccess;
}

cudaError_t library_launch(cudaStream_t stream, const char *name, void (*body)(const void *arguments),
                           const void *arguments, size_t bytes)
{
    return library_launch_blocks(stream, name, 1, body, arguments, bytes);
}

extern __thread uint3 blockIdx;
int library_block(void) { return (int)blockIdx.x; }

void library_wait(void) { cpudev_yield(); }
void library_fail(void) { cpudev_trap(); }

/* The checker's, where it is linked. */
extern void __tsan_read1(void *p) __attribute__((weak));
extern void __tsan_read4(void *p) __attribute__((weak));
extern void __tsan_write1(void *p) __attribute__((weak));
extern void __tsan_write4(void *p) __attribute__((weak));

static void touch(const void *p, size_t bytes, void (*four)(void *), void (*one)(void *))
{
    char *at = (char *)p, *end = at + bytes;
    if (!four || !one)
        return;
    for (; ((size_t)at & 3) && at < end; at++)
        one(at);
    for (; end - at >= 4; at += 4)
        four(at);
    for (; at < end; at++)
        one(at);
}

bool library_checked(void) { return __tsan_read4 != NULL; }
void library_reads(const void *p, size_t bytes) { touch(p, bytes, __tsan_read4, __tsan_read1); }
void library_writes(void *p, size_t bytes) { touch(p, bytes, __tsan_write4, __tsan_write1); }

void library_matrix(bool writes, const void *a, size_t size, long long rows, long long columns, long long ld)
{
    for (long long i = 0; __tsan_read4 && i < columns; i++) {
        char *column = (char *)a + (size_t)(i * ld) * size;
        if (writes)
            library_writes(column, (size_t)rows * size);
        else
            library_reads(column, (size_t)rows * size);
    }
}

static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;

bool library_load(cpu_library *l)
{
    pthread_mutex_lock(&load_lock);
    for (int i = 0; !l->handle && l->files[i]; i++)
        l->handle = dlopen(l->files[i], RTLD_NOW | RTLD_LOCAL);
    const bool tell = !l->handle && !l->told;
    l->told |= tell;
    pthread_mutex_unlock(&load_lock);
    if (tell)
        fprintf(stderr, "CPU device: %s needs %s, which is not installed: apt-get install %s\n", l->for_whom,
                l->files[0], l->package);
    return l->handle != NULL;
}

void *library_function(cpu_library *l, const char *symbol)
{
    if (!library_load(l))
        return NULL;
    void *f = dlsym(l->handle, symbol);
    if (!f)
        fprintf(stderr, "CPU device: %s needs %s, which the installed %s has not\n", l->for_whom, symbol, l->files[0]);
    return f;
}
