/* fault.h: kernels that fail: assertions, traps, and what the CPU refuses. */
#ifndef FAULT_H
#define FAULT_H

void install_fault_handler(void);
void arm_alternate_stack(void); /* each OS thread that runs kernels needs one, to report a stack that has overflowed */

#endif
