/* canonical_form.h: what the files of the canonical form share. */
#ifndef CUCC_CANONICAL_H
#define CUCC_CANONICAL_H

#include "front/unit.h"

void copy_kernel(Unit *u, Kernel *k);
void analyse(Unit *u, Kernel *k);      /* its tokens anew */
bool inline_calls(Unit *u, Kernel *k); /* functions with barriers (or shuffles) in the places of their calls */

/* canonical_edit.c: replacing tokens */
void words_space(Tokens *w, const char *text, int len);       /* white space */
void words_mark(Tokens *w, const Token *at);                  /* what follows is on that token's line */
void words_say(Tokens *w, const Token *at, char *text);       /* generated text, on that token's line */
void words_copy(Tokens *w, const Tokens *from, int a, int b); /* the tokens a..b-1 */
void replace_tokens(Tokens *t, int a, int b, Tokens *w);      /* w in the place of a..b-1 */
void canonical_bounds(Kernel *k);                             /* after that */

void canonical_indices(Kernel *k);                                          /* when it has been analysed */
void canonical_sums(Kernel *k);                                             /* sums.c */
bool canonical_groups(Unit *u, Kernel *k);                                  /* canonical_groups.c */
bool canonical_call(Unit *u, Kernel *k, int call, Function *f, int number); /* canonical_inline.c */

#endif
