#include "unit.h"
#include "analysis.h"
#include "regions.h"
void print_bulk(Split *s, const Region *r, char **before, char **after) {(void)s;(void)r;(void)before;(void)after;}
