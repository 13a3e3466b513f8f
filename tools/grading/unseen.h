/* unseen.h: a second shape, at which an answer's technique is counted, too. An exercise names the shape of its limits, so an
 * answer could use the technique there and nowhere else. The other shape is drawn when an exercise is first graded into the
 * folder of the grades, where no answer sees it; its limits grow as the teacher's own solution's figures do. */
#ifndef UNSEEN_H
#define UNSEEN_H

#include "grading.h"

typedef struct Unseen {
    char *shape, *limits; /* "": the exercise takes no other shape */
} Unseen;

/* Draws it, or reads what was drawn before. *why is set where it cannot be known now. `work` is a folder of this grade's. */
Unseen unseen_of(const Grading *g, const Exercise *e, const char *work, char **why);
void unseen_free(Unseen *u);

/* one.c: the figures of the teacher's own solution (launches and lines) at the limits' shape and at the first of `shapes`, a
 * list that ends with NULL, at which it passes. Returns that one's index, -1: at none, or -2: it does not pass at the
 * limits' shape, and *why. */
int teacher_counts(const Grading *g, const Exercise *e, const char *work, char *const *shapes, char *here[2],
                   char *there[2], char **why);

#endif
