# first_failure.sh, for the harness's scripts to read in (make check does not run this): $to_first_failure is not empty where a script ends with
# the first test that fails, because one failure catches a mutant. What a test starts does not see the variable.
# shellcheck shell=sh
to_first_failure=${COURSE_FIRST_FAILURE-}
unset COURSE_FIRST_FAILURE
