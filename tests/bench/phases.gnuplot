# SPDX-License-Identifier: GPL-2.0-only
# phases.gnuplot - what each arm does while the load changes, to standard output
#
# Usage: gnuplot -e "samples='FILE';seconds=N" phases.gnuplot

arms = "haltpoll adaptive predictive default"
names = "idle ping-pong bursts timers idle"
set terminal svg size 900,760 dynamic enhanced background "white" font "sans,12"
set datafile separator "\t"
set datafile missing "-"
set multiplot layout 3,1
set lmargin 12
set rmargin 14
set xrange [0:5 * seconds]
set xtics seconds
set grid
set key outside right top noenhanced
do for [i = 1:5] {
	set label i word(names, i) at seconds * (i - 0.5), graph 1.08 center
}
set datafile columnheaders
of(arm, x) = strcol("arm") eq arm ? x : NaN
set yrange [0:*]
set ylabel "window, us"
plot for [arm in arms] samples using (column("ms") / 1000):(of(arm, column("window_ns") / 1000)) \
	with lines lw 1.5 title arm
unset label
# Of the series, or uses of cpuidle's polling state.
set ylabel "polls a second"
plot for [arm in arms] samples using (column("ms") / 1000):(of(arm, \
	(arm eq "haltpoll" ? column("poll_state") : column("attempted")) / column("wall_ns") * 1e9)) \
	with lines lw 1.5 title arm
set ylabel "CPU time of QEMU, cores"
set xlabel "s"
plot for [arm in arms] samples using (column("ms") / 1000):(of(arm, column("host_ns") / column("wall_ns"))) \
	with lines lw 1.5 title arm
