# file: cpudevice/viewer/hardware.js
# test: tests/viewer/view_page.sh constant
s/all.set(addresses\[l\], \[/all.set(addresses[lanes[0]], [/
