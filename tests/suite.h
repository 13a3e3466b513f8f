/* suite.h: what every test program ends with. */
#ifndef SUITE_H
#define SUITE_H

#include <check.h>

/* Runs the suite (CK_VERBOSITY, CK_FORK and CK_RUN_CASE are heeded) and frees it. Returns main's exit status. */
static inline int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

#endif
