/* checker.h */
#ifndef CHECKER_CHECKER_H
#define CHECKER_CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#endif
