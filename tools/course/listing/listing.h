/* listing.h: what nvcc makes of a file's kernels: PTX or machine code (SASS), instruction by instruction, each with what it
 * does, under the source line that it comes from. listing_tool.c compiles, listing_read.c reads what nvcc or nvdisasm
 * printed, listing_meaning.c says what an instruction does, listing_print.c prints. */
#ifndef LISTING_H
#define LISTING_H

#include "../support.h"

typedef enum ListingMode { LISTING_PTX, LISTING_SASS } ListingMode;

typedef enum ItemKind { ITEM_LINE, ITEM_LABEL, ITEM_CODE } ItemKind;

typedef struct Item {
    ItemKind kind;
    char *text;  /* a source line's text, a label's name, or an instruction */
    char *place; /* of a source line: FILE:LINE; else NULL */
} Item;

typedef struct Kernel {
    char *id;   /* the mangled name */
    char *name; /* as it stands in the source */
    Item *items;
    int count;
} Kernel;

/* What is to be listed. */
typedef struct Listing {
    ListingMode mode;
    int arch;         /* 90 for sm_90a */
    const char *root; /* the course's folder: lines of other files are not shown */
    List wanted;      /* the kernels' names; none: all */
    const char *loop; /* NULL, or an opcode: only the loop in which most instructions are that one */
    int fold;         /* a run of one instruction is shown by its first two and its last */
    const char *said; /* what ptxas -v said of registers; may be "" */
} Listing;

/* The wanted kernels in what nvcc or nvdisasm printed. *count is how many there are. */
Kernel *listing_read(const Listing *l, const char *printed, int *count);

void listing_free(Kernel *kernels, int count);

/* What an instruction does, or NULL where nothing is known; the caller frees it. */
char *listing_meaning(const Listing *l, const char *instruction);

/* Prints the kernels. Returns the exit status: 1 if there are none, or if a wanted one has no such loop. */
int listing_print(const Listing *l, Kernel *kernels, int count);

/* Compiles FILE.cu and prints the kernels: the whole of `tools/course.sh listing`. `kernels` may be empty: all of them. */
int listing_of(Listing *l, const char *file);
/* Is there an nvcc to list with? */
int listing_can(void);

#endif
