/* rules.h: the whitelist's rules, each of which a test build (-DCUCC_BREAK) can switch off: cucc-compile --break=NAME.
 * cpudevice/tests/compiler/compiler_test.c shows that the tests notice each one. */
#ifndef CUCC_RULES_H
#define CUCC_RULES_H

#include "front/unit.h"

typedef enum {
    RULE_PARENTHESES,    /* an expression in parentheses is changed like one without */
    RULE_TERNARY,        /* c ? a : b may be changed, which changes a or b */
    RULE_CASTS,          /* an lvalue after a cast may be changed */
    RULE_ADDRESS,        /* whose address is taken may change at any time */
    RULE_REFERENCES,     /* whoever has a reference may change the variable */
    RULE_ARGUMENTS,      /* a function takes its argument by value only if that is known */
    RULE_TYPES,          /* g++ judges types */
    RULE_CALLS,          /* an unknown function may wait, and ask for threadIdx */
    RULE_THREADIDX,      /* a function that asks for threadIdx is not called in a loop */
    RULE_UNIFORM,        /* a condition round a barrier is the same for all threads */
    RULE_SHADOWED,       /* a name that is declared twice is not computed anew */
    RULE_CHANGED,        /* what changes is not computed anew */
    RULE_MEMORY,         /* what is read from memory is not computed anew */
    RULE_RETURN,         /* a thread that has returned takes no part in what follows */
    RULE_OVERLOADS,      /* a name of several functions is none of them */
    RULE_INLINE_NAMES,   /* an inlined function's names mean what they meant */
    RULE_OPERATORS,      /* an operator of the program may change its operands, and read memory */
    RULE_MEMBER_ARRAYS,  /* who has an array in an object may change the object */
    RULE_HIDDEN_NAMES,   /* a library's name may mean something else of the program */
    RULE_PRIVATE_MEMORY, /* what a thread has in memory, the next one has there too */
    RULE_GUARDS,         /* whether a thread takes part is found out without changing anything */
    RULE_FRESH,          /* what a region does not set before it reads it comes from another region */
    RULE_VOLATILE,       /* threads that communicate by volatile memory keep their order */
    RULE_SOMETIMES,      /* a shuffle that is evaluated sometimes is not done for all */
    RULE_BRANCHES,       /* lanes that part may meet again in the shuffles of both branches */
    RULE_ROUNDS,         /* all threads can go round a loop with a shuffle, and come to its end */
    RULES
} Rule;

#ifdef CUCC_BREAK
static inline bool broken(const Unit *u, Rule rule) { return u->broken >> rule & 1; }
#else
static inline bool broken(const Unit *u, Rule rule)
{
    (void)u;
    (void)rule;
    return false;
}
#endif
#endif
