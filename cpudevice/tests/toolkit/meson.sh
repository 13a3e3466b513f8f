#!/bin/sh
# Meson with cucc as its CUDA compiler, and with cpudevice/toolkit as its dependency('cuda'): the cases of
# cpudevice/tests/toolkit/meson.
exec sh "$(dirname "$0")/../harness/cases.sh" toolkit/meson "$@"
