/* flags.h: do blocks of a launch wait for each other? */
#ifndef MODEL_FLAGS_H
#define MODEL_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The words that a launch has changed by atomics and volatile stores, and who did it. All zero: none. */
typedef struct flags {
    struct flag {
        uint64_t word; /* its address; 0: a free place */
        uint32_t writer, thread, looks;
        uint8_t several, exchanged, stored;
    } * flags;
    size_t count, places;
} flags;

/* A thread of a block has accessed a word of global memory: FLAG_... of core/hooks.h. May blocks wait for each other? It is so
 * once a block looks at a word that another block has changed, once a thread looks at a word LOOKS times without a change
 * in between, and once a word is both compared and stored, as a lock is. */
bool flags_seen(flags *f, uint64_t word, uint32_t block, uint32_t thread, int what);
void flags_free(flags *f);

#endif
