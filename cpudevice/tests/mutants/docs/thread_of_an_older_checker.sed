# file: cpudevice/docs/CHECK.zh.md
# test: tests/notes/notes_front_page.sh
s/线程 (1,0,0)/线程 (32,0,0)/
