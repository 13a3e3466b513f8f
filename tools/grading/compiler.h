/* compiler.h: the sandbox in which submissions are compiled, and what is prepared there once for all of them. */
#ifndef COMPILER_H
#define COMPILER_H

#include "grading.h"
#include "sandbox.h"

/* The beginning of the command that compiles an answer. */
#define COMPILE_ANSWER "cpudevice/cucc --check -O1 -g -std=c++17 -Wdouble-promotion -DLAB_CPU -Icommon -c "

/* Sees the compiler and the library; the command and what it may write are still to be added. */
Sandbox compiler_sandbox(const Grading *g);
/* Has g++ read cuda_runtime.h, before the first answer (cpudevice/driver/precompiled.c). Answers compile without it too,
 * in twice the time. */
void compiler_prepare(const Grading *g);

#endif
