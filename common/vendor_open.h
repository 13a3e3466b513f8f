/* vendor_open.h: how vendor*.c find a library at run time, and what else they share. */
#ifndef VENDOR_OPEN_H
#define VENDOR_OPEN_H

#include <cuda_runtime.h>

/* dlopen()s the first of the NULL-terminated names that it finds: on the loader's path, then in the toolkit.
 * Returns NULL if none is. */
void *vendor_open(const char *const *names);

/* cuBLASLt, opened once: a handle (cublasLtHandle_t) and a workspace that all products share. NULL if it cannot be used. */
enum { VENDOR_WORKSPACE_BYTES = 64 << 20 };
typedef struct VendorLt {
    void *library, *handle, *workspace;
} VendorLt;
const VendorLt *vendor_load_lt(void);

/* They open cuSPARSE and cuSPARSELt, if that has not been tried: whether it can be used. */
int vendor_load_sparse(void);
int vendor_load_sparselt(void);

/* Which of `count` ways, run(context[i]), is fastest: by the function of vendor_fastest_by(), else the first. */
int vendor_fastest(void (*run)(void *context), void *const *context, int count, cudaStream_t stream);

/* How often vendor_inputs_changed() was called. */
extern unsigned vendor_inputs;

/* vendor_close() calls these. */
void vendor_sparse_close(void);
void vendor_sparselt_close(void);
void vendor_fp8_close(void);

#endif
