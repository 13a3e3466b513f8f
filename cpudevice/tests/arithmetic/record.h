// record.h: what record.cu and subnormal.cu share, and nothing of this repository: nvcc compiles them where only they are.
#ifndef RECORD_H
#define RECORD_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error != cudaSuccess) {                                                                                    \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(error));                                              \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#endif
