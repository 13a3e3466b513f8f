#!/bin/sh
# -ftz=true and what must not see it (other kernels, the host): the cases of cpudevice/tests/arithmetic/ftz.
exec sh "$(dirname "$0")/../harness/cases.sh" arithmetic/ftz "$@"
