/* hooks.h: the calls that go up, all of them. A file of the runtime calls files below it; where one below must reach one
 * above, the call is in this table, so that it hides no circle. hooks_table.c fills the table before main().
 * tests/house/layers.sh counts the calls and refuses other function pointers at file scope. */
#ifndef HOOKS_H
#define HOOKS_H

struct command;
struct cpudev_worker;

extern struct runtime_hooks { /* who calls -> whom: when and why */
    /* call.c -> process.c: at the process's first call, which a profiler that the start loads is to see */
    void (*first_call)(void);
    /* scheduler.c -> units.c, with the lock: a cooperative grid needs one more OS thread for its blocks */
    void (*spawn_worker)(void);
    /* scheduler.c -> memory_ops.c, with the lock: a C_WRITE_VALUE or C_WAIT_VALUE is ready */
    void (*begin_memory_op)(struct command *c);
    /* units.c -> conditional.c, without the lock: a C_CONDITIONAL or C_ASSIGN runs */
    void (*run_conditional)(struct command *c);
    /* scheduler.c -> conditional.c, with the lock: a C_CONDITIONAL is over */
    void (*conditional_over)(struct command *c);
    /* wait.c, turn.c -> units.c: the block waits, perhaps for another block, which needs an OS thread to run on */
    void (*blocks_wait)(struct cpudev_worker *w);
    /* block.c -> nested.c: the next block begins; what the last one's threads left of runtime calls goes */
    void (*forget_calls)(struct cpudev_worker *w);
    /* worker.c -> cluster.c: the OS thread ends, and the cluster that it leads (own_cluster) with it */
    void (*free_cluster)(struct cpudev_worker *w);
    /* watchdog.c -> units.c: before each look at the workers; sleeps while there is no work */
    void (*wait_for_work)(void);
} runtime_hooks;

#endif
