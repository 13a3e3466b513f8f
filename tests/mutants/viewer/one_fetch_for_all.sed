# file: cpudevice/viewer/hardware.js
# test: view_page.sh
s/all.set(addresses\[l\], \[/all.set(addresses[lanes[0]], [/
