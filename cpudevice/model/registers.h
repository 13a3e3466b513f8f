/* registers.h: how many registers a thread of each kernel has (CUDA_CPU_MODEL_REGISTERS): one number for all kernels, or
 * a file with what `nvcc -Xptxas -v` prints. */
#ifndef MODEL_REGISTERS_H
#define MODEL_REGISTERS_H

#include <stdbool.h>

enum { REGISTERS_ASSUMED = 32 /* of a thread, where nobody says how many */ };

/* Reads the setting; NULL: fine, otherwise what is wrong with it. */
const char *registers_read(const char *setting);
/* Of the kernel that the runtime calls `name`, "k(T*) [with T = float]"; 0: nobody says. */
unsigned registers_of(const char *name);
/* Is the setting a file? */
bool registers_are_listed(void);

#endif
