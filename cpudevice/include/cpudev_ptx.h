/* cpudev_ptx.h: what inline PTX becomes on the CPU device: one function an instruction, a file a family. */
#ifndef CPUDEV_PTX_H
#define CPUDEV_PTX_H
#include "cpudev_ptx/async.h"
#include "cpudev_ptx/bulk.h"
#include "cpudev_ptx/convert.h"
#include "cpudev_ptx/mma.h"
#include "cpudev_ptx/video.h"
#include "cpudev_ptx/wgmma.h"
#include "cpudev_ptx/wmma.h"
enum { CPUDEV_PTX_INCLUDED }; /* the compiler looks for this name */
#endif
