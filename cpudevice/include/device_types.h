/* device_types.h: the rounding modes that conversions take. */
#ifndef __DEVICE_TYPES_H__
#define __DEVICE_TYPES_H__

#include "driver_types.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif
