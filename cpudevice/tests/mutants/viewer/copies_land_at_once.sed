# file: cpudevice/viewer/recording.js
# test: tests/viewer/view_page.sh async
s/if (flight) flight.until = s;/if (flight) flight.until = flight.from;/
