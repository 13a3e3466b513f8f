# file: tools/notebook/cuda_notebook/cell.py
# test: tests/notebook/notebook_cells.sh
s|        line = line.replace(f"{self.folder}/", "")||
