# file: tools/notebook/cuda_notebook/compilers.py
# test: tests/notebook/notebook_cells.sh what_is_said_is_said_in_chinese
s/return chinese if language.startswith("zh") else english/return english/
