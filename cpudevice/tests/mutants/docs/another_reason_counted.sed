# file: cpudevice/docs/COMPATIBILITY.md
# test: tests/notes/compatibility.sh
s/| 48 | 44 | 4 meant |/| 48 | 44 | 3 meant, 1 mistake |/
