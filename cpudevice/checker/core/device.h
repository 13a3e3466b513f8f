/* device.h: what the runtime reports of blocks, threads, barriers, copies and operations. */
#ifndef CHECKER_DEVICE_H
#define CHECKER_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/worker.h"

void check_launch_place(check_op *op);                  // by the running thread
void check_nested_args(const void *args, size_t bytes); // of its launch
void check_block_begin(const cpudev_block_info *b);
void check_block_end(void);
void check_thread_now(uint32_t t, void *lo, size_t bytes);
void check_thread_exit(uint32_t t);
void check_loop_begin(void *lo, size_t bytes);
void check_barrier(const void *site);
void check_syncwarp(uint32_t warp, uint32_t mask);
void check_grid_sync(void);
extern int check_device_failed;
void check_sync_error(const cpudev_mistake *m);
void check_no_texture(const void *site);
void check_texture_memory(const void *p, size_t row_bytes, size_t rows, size_t pitch);
void check_surface_misaligned(const void *site);
void check_surface_outside(int dimension, long at, long size, const void *site);
void check_texel(const void *p, unsigned bytes, const void *site);
void check_tile(const void *p, size_t row_bytes, const void *site);
bool check_handle_readable(const void *p);
uint32_t check_loop_thread(void);
void check_launch_args(const void *args, size_t bytes);
void check_symbol_address(const void *p);
void check_set_value(int value);
int check_copy_args(const cpudev_op_desc *d);
void check_op_enqueue(cpudev_op *work, const cpudev_op_desc *d);
void check_op_begin(cpudev_op *work);
void check_op_end(cpudev_op *work, const cpudev_event *e);

#endif
