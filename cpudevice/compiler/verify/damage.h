/* damage.h: in a test build (-DCUCC_BREAK), ways to break what a pass has made: cucc-compile --damage=NAME. The
 * verifier must notice each one. */
#ifndef CUCC_DAMAGE_H
#define CUCC_DAMAGE_H

#include "front/unit.h"

void list_damages(void);                               /* their names, to standard output */
int damage_named(const char *name);                    /* its number, or -1 */
void do_damage(Unit *u, int number, const char *pass); /* if that is the pass after which it is done */

#endif
