# file: tools/notebook/cuda_notebook/cell.py
# test: tests/notebook/notebook_cells.sh
s/flags = \["--model", self.given.model, /flags = [/
