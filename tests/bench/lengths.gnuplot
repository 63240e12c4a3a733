# SPDX-License-Identifier: GPL-2.0-only
# lengths.gnuplot - how long idle periods were in each phase, to standard output
#
# Usage: gnuplot -e "lengths='FILE'" lengths.gnuplot

phases = "idle ping-pong bursts timers"
set terminal svg size 720,480 dynamic enhanced background "white" font "sans,12"
set datafile separator "\t"
set datafile columnheaders
set title "Idle periods by length, policy predictive, timers left alone"
set xlabel "length, us (from, up to twice that)"
set ylabel "idle periods"
set logscale xy
set yrange [0.8:*]
set grid
of(phase) = strcol("arm") eq "predictive" && strcol("phase") eq phase && \
	column("periods") > 0 ? column("periods") : NaN
plot for [phase in phases] lengths using (column("ns") / 1000 + 0.1):(of(phase)) \
	with linespoints pt 7 ps 0.5 title phase
