/* answer.h: what is taken of a file that was handed in: the text that stands where the exercise says TODO, and only if
 * it is made of words that an answer may use.
 *
 * The file is aligned, line by line, with what the exercise's solution gives; what stands between two given lines where
 * an answer belongs is the answer, everything else is the teacher's. In the answer each identifier that is not allowed
 * (names.c lists the language's and CUDA's; the exercise's own file adds what the answer can see there) becomes a name
 * of the student's own, so that it can only mean what the answer itself declares: `_exit` becomes `yours__exit`, which
 * nobody declares. Directives (but #pragma unroll), line continuations, raw strings and brackets that do not pair are
 * refused. */
#ifndef ANSWER_H
#define ANSWER_H

#include "../course/course.h"

#define ANSWER_PREFIX "yours_"

typedef struct Answer {
    char *program; /* the teacher's file with these answers in it; NULL: it was refused, see `why` */
    char *why;
    char *note; /* lines that were changed outside the answers, in words; or NULL */
} Answer;

/* `file` is the name that messages shall use: "ex04_transpose.cu". */
Answer answer_take(const char *solution, const char *submitted, const char *file);
void answer_free(Answer *a);

/* names.c. May an answer use this identifier, whatever the exercise? */
int name_is_allowed(const char *name, size_t length);
/* May an answer use it where the solution uses `other`? The families are cudaMalloc, cudaMemcpy ...; a cluster's barrier
 * in one call or in two; ... */
int name_is_related(const char *name, const char *other);

/* Which names the compiler complains of because an answer may not use them and does not declare them, in words; NULL:
 * none. Of the messages as they came. */
char *answer_unknown(const char *messages);

/* A message of the compiler's, without what the renaming added. In place. */
void answer_unname(char *message);

#endif
