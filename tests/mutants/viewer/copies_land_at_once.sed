# file: cpudevice/viewer/recording.js
# test: view_page.sh
s/if (flight) flight.until = s;/if (flight) flight.until = flight.from;/
