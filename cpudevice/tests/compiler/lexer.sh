#!/bin/sh
# The compiler driver cucc and its lexer: plain C++ passes through, messages name the student's own file and line, what is
# not supported is refused by name, and nvcc's options are taken: the cases of cpudevice/tests/compiler/lexer.
exec sh "$(dirname "$0")/../harness/cases.sh" compiler/lexer "$@"
