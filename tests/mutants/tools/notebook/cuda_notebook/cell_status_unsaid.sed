# file: tools/notebook/cuda_notebook/cell.py
# test: tests/notebook/notebook_cells.sh an_exit_status_and_a_signal_are_told
s/    if status in (0, 99, 124):/    if status < 1000:/
