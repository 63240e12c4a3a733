# SPDX-License-Identifier: GPL-2.0-only
# cost.gnuplot - what each arm gains against what it costs, to standard output
#
# Usage: gnuplot -e "dots='FILE'" cost.gnuplot

set terminal svg size 720,480 dynamic enhanced background "white" font "sans,12"
set datafile separator "\t"
set title "Latency against the host's CPU, geometric mean of the latency loads"
set xlabel "CPU time of QEMU for a turn, off = 1"
set ylabel "time of a turn, off = 1"
set grid
set offsets graph 0.08, graph 0.22, graph 0.08, graph 0.08
plot dots using 3:2 every ::1 with points pt 7 ps 0.8 lc rgb "#2060a0" notitle, \
     dots using 3:2:(sprintf("  %s", strcol(1))) every ::1 with labels left noenhanced notitle
