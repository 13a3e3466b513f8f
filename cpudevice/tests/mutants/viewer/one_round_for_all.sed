# file: cpudevice/viewer/record.c
# test: tests/viewer/view_page.sh counts
s/visit(&site->warp\[warp\], lane, cpudev_check_round())/visit(\&site->warp[warp], lane, 0)/
