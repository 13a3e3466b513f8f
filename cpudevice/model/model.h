/* model.h: predicts the time of each launch on a chip, and prints it at the end (CUDA_CPU_MODEL=CHIP, CUDA_CPU_MODEL_CSV=FILE). */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "launch.h"

/* The table on stderr, and the lines of CUDA_CPU_MODEL_CSV on `csv` where that is not NULL. */
void model_report(const chip *c, const model_launch *first, unsigned registers, FILE *csv);

#endif
