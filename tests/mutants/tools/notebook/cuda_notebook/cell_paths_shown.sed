# file: tools/notebook/cuda_notebook/cell.py
# test: tests/notebook/notebook_cells.sh an_error_names_the_line_of_the_cell
s|        line = line.replace(f"{self.folder}/", "")||
