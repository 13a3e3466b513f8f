/* damages.h: between the files that break a unit. */
#ifndef CUCC_DAMAGES_H
#define CUCC_DAMAGES_H

#include "front/unit.h"

/* Does the damage to the node, if it has what that takes. */
typedef bool Try(Function *f, Node *n, const Node *parent);
bool at_node(Function *f, Node *n, const Node *parent, Try *try); /* the first node for which it can be done */
bool at_trees(Unit *u, Try *try);

/* damage_kernel.c */
void varying_as_same(Unit *u);
void memory_as_same(Unit *u);
void changed_as_same(Unit *u);
void barrier_in_loop(Unit *u);
void barrier_in_switch(Unit *u);
void shared_copy(Unit *u);
void wrong_recomputation(Unit *u);
void private_across_barrier(Unit *u);
void varying_condition(Unit *u);
void lost_region(Unit *u);
void statement_out_of_region(Unit *u);
void region_over_barrier(Unit *u);
void regions_turned(Unit *u);
void forgotten_return(Unit *u);
void arrays_apart(Unit *u);

#endif
