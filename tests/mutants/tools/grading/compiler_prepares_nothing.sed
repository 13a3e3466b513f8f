# file: tools/grading/compiler.c
# test: tests/grading/grading_compiler
s/"CUCC_PCH=1"/"CUCC_PCH=0"/
