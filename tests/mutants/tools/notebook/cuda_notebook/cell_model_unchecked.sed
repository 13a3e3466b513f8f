# file: tools/notebook/cuda_notebook/cell.py
# test: tests/notebook/notebook_cells.sh the_model_tells_a_time
s/flags = \["--model", self.given.model, /flags = [/
