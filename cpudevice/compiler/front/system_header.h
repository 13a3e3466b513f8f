/* system_header.h: which headers the compiler leaves as they are, and the driver does not take for the program's. */
#ifndef SYSTEM_HEADER_H
#define SYSTEM_HEADER_H

#include <stdbool.h>
#include <string.h>

/* Of those that g++ calls system headers (flag 3 in a line marker), the ones of the C and C++ libraries and of the
 * compiler itself. Other folders that -isystem names hold libraries for CUDA too, PyTorch's say. */
static inline bool system_header(const char *file)
{
    static const char *const cuda[] = {"cccl/", "cub/", "cuda/", "nv/", "thrust/"}; /* CCCL as a package */
    const bool usr = !strncmp(file, "/usr/include/", 13);
    for (size_t i = 0; usr && i < sizeof cuda / sizeof *cuda; i++)
        if (!strncmp(file + 13, cuda[i], strlen(cuda[i])))
            return false;
    return usr || strstr(file, "/include/c++/") || strstr(file, "/lib/gcc/") || strstr(file, "/lib/clang/") ||
           strstr(file, "/lib/llvm");
}

#endif
