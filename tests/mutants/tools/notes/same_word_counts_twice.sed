# file: tools/notes/warp.py
# test: tests/notes/notes_units.sh
s|    return {(first + lane \* stride + byte) // unit for lane in lanes for byte in range(size)}|    return sorted((first + lane * stride + byte) // unit for lane in lanes for byte in range(0, size, 4))|
