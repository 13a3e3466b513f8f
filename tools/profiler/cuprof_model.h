/* cuprof_model.h: a run's launches with the times that a model of a GPU gives them (CUDA_CPU_MODEL, cpudevice/docs/model.md),
 * in place of this CPU's. */
#ifndef CUPROF_MODEL_H
#define CUPROF_MODEL_H

#include "profiler/profiler_core.h"

#define CUPROF_MODEL "model" /* the backend of such a source */

/* Reads a file of CUDA_CPU_MODEL_CSV: each launch with its cold time, one after another. Launches without a time are named
 * in the source's message, once per kernel. NULL: the file is not there or is no such file. prof_source_free() frees it. */
prof_source *cuprof_model(const char *csv, const char *chip);

/* Copies, fills and migrations of the source: the model has no times for them. */
unsigned long long cuprof_not_modelled(const prof_source *source);

#endif
