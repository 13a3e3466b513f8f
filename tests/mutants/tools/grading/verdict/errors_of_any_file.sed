# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict compiler
s/if (at && (at == l || at\[-1\] == '\/' || at\[-1\] == ':') && /if (at \&\& /
