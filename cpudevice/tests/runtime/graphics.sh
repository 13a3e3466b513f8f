#!/bin/sh
# Buffers and textures shared with OpenGL: cpudevice/tests/runtime/graphics/main.cu, which is its own OpenGL.
exec sh "$(dirname "$0")/../harness/cases.sh" runtime/graphics "$@"
