# file: tools/notebook/cuda_notebook/compilers.py
# test: tests/notebook/notebook_cells.sh
s/return chinese if language.startswith("zh") else english/return english/
