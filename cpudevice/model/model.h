/* model.h: predicts the time of each launch on a chip, and prints it at the end (CUDA_CPU_MODEL=CHIP, CUDA_CPU_MODEL_CSV=FILE). */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "cpudevice.h"
#include "launch.h"

/* The table on stderr, if it is not to be quiet, and the lines of CUDA_CPU_MODEL_CSV on `csv` where that is not NULL. */
void model_report(const chip *c, const model_launch *first, FILE *csv, bool quiet);
/* What cpudev_model_launch() says of one launch. */
void model_tell(const chip *c, const model_launch *l, cpudev_model_time *t);

#endif
