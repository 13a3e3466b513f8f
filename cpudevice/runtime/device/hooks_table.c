/* hooks_table.c: who is called by the calls that go up (hooks.h). Nothing calls this file, so it is above all of them. */
#include "device/hooks.h"
#include "device/process.h"
#include "exec/cluster.h"
#include "graph/conditional.h"
#include "launch/nested.h"
#include "stream/memory_ops.h"
#include "stream/units.h"

/* Before the program's own constructors, which may call CUDA. */
__attribute__((constructor(101))) static void fill_table(void)
{
    runtime_hooks = (struct runtime_hooks){
        .first_call = start_for_injection,
        .spawn_worker = spawn_worker,
        .begin_memory_op = memory_op_begin,
        .run_conditional = conditional_run,
        .conditional_over = conditional_over,
        .blocks_wait = need_more_threads,
        .forget_calls = nested_forget,
        .free_cluster = cluster_free,
        .wait_for_work = wait_for_work,
    };
}
