/* device.h: which device a program runs on, in words, and whether it can run a rung. Host side. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 1 if this program was built for the CPU device. */
int device_is_cpu(void);
/* "CPU device (no GPU found: results and counts are exact, times are this CPU's)" or
 * "NVIDIA H200 (compute capability 9.0, 132 SMs, 4.8 TB/s)". Ends the program with one line if no GPU answers. */
const char *device_line(void);
/* The part of it before the bracket: "CPU device", "NVIDIA H200". */
const char *device_name(void);
/* Compute capability times ten: 90. The CPU device gives the one it declares. */
int device_capability(void);
/* Multiprocessors of the device: the blocks of a persistent grid. */
int device_multiprocessors(void);
/* Bytes of device memory free now. */
size_t device_free_bytes(void);
/* Memory on the current device, on a GPU full of NaN (floats, bf16 and doubles alike): a result that no kernel has stored is
 * wrong. compute-sanitizer's initcheck does not see what TMA stores; the CPU device's checker does, and finds reads of
 * what was never written. cudaFree() gives it back. */
void *device_alloc_nan(size_t bytes);
/* Comment lines ("# device: ...") for the head of a CSV: device, driver, toolkit, vendor libraries, date, command. */
void device_provenance(FILE *to, int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
