# file: cpudevice/runtime/texture/texture_fetch.c
# test: cpudevice/tests/checker/findings.sh advice
/TELL(surface_outside/d
