# SPDX-License-Identifier: GPL-2.0-only
# The front door: every target calls a script or one compiler

VERSION ?= 6.12
export VERSION KERNEL FORCE

CFLAGS ?= -O2 -Wall -Wextra

help:
	@sed -n 's/^#: //p' Makefile

#: make run            build a guest kernel, boot it, show what polling does
#: make shell          a shell in that guest
#: make bench          every way to poll side by side, kept in build/bench;
#:                     QUICK=1 in some ten minutes. The machine must be quiet
#: make kernel         only build: build/VERSION/bzImage
run:
	@scripts/run

shell:
	@scripts/run --shell

bench:
	@scripts/install-packages run bench
	@tests/bench/kernels > /dev/null
	@tests/bench/bench $(if $(QUICK),--quick)

kernel:
	@scripts/run --build-only

#: make check          all tests, in a guest too
#: make torture        everything at once in a guest: SECONDS=600 SEED=1, and
#:                     DEBUG as with check-debug, or guest for a fast kernel
#: make unit           the tests that take seconds
#: make lint           shellcheck, checkpatch, sparse and W=1 for what is ours
check:
	@scripts/install-packages run check bench
	@$(MAKE) -s programs
	@for v in 6.12 6.1; do VERSION=$$v KERNEL= scripts/run --build-only && \
		VERSION=$$v KERNEL= tests/boot/stub/kernel || exit; done
	@prove -e sh --timer --state=save $(TESTS) || { \
		echo "check: what failed is run once more, in full view"; \
		prove -e sh --timer -v --state=failed; }

#: make check-debug    the boot tests on kernels that check themselves;
#:                     DEBUG=debug+kasan for address checks as well, DEBUG=rt or
#:                     debug+rt for the real-time kernel, VERSIONS=6.1 for one
DEBUG ?= debug
# 6.1 has no real-time kernel.
VERSIONS = $(if $(filter rt,$(subst +, ,$(DEBUG))),6.12,6.12 6.1)
check-debug:
	@scripts/install-packages run check
	@$(MAKE) -s programs
	@rc=0; export KERNEL=; for VERSION in $(VERSIONS); do export VERSION; \
		dir=$$(scripts/kernel-source) && \
		scripts/build-kernel --config $(DEBUG) "$$dir" && \
		tests/boot/stub/kernel $(DEBUG)+stub && \
		GUEST_KERNEL=$$dir/$(DEBUG)/bzImage GUEST_PATIENCE=4 \
		GUEST_STUB_KERNEL=$$dir-stub/$(DEBUG)+stub/bzImage \
			prove -e sh --timer tests/boot/$$VERSION/*.t || rc=1; \
	done; exit $$rc

# What the tests run in a guest.
programs: build/work build/sleeps build/torture

# A folder of the boot tests is a kernel's version: each runs them all. Torture
# is for a kernel that checks itself: make check-debug, make torture.
TESTS = $(filter-out %/torture.t,$(wildcard $(addprefix tests/,tree/*.t guest/*.t bench/*.t replay/*.t stat/*.t \
	completion/*.t docs/*.t build/*.t deb/*.t newcomer/*.t fuzz/*.t boot/6.12/*.t boot/6.1/*.t)))

torture:
	@scripts/install-packages run check
	@$(MAKE) -s programs
	@tests/boot/stub/kernel $(DEBUG)+stub && \
		GUEST_STUB_KERNEL=build/$(VERSION)-stub/$(DEBUG)+stub/bzImage \
		TORTURE_SECONDS=$(or $(SECONDS),600) TORTURE_SEED=$(or $(SEED),1) \
			prove -e sh -v --timer tests/boot/$(VERSION)/torture.t

unit: build/work
	@prove -e sh -r tests/guest/report.t tests/bench/report.t tests/tree

lint:
	@scripts/install-packages run lint
	@scripts/lint

#: make apply DIR=...  put the series into a kernel tree
#: make revert DIR=... take it out again
#: make patches        the series as mails for git am, and for quilt, Debian's
#:                     and RPM's kernel packages, in build/patches
apply revert:
	@test -n "$(DIR)" || { echo "make $@ DIR=kernel-tree" >&2; exit 2; }
	@scripts/$@ $(if $(FORCE),$(if $(filter apply,$@),--force)) "$(DIR)"

patches:
	@rm -rf build/patches
	@dir=$$(scripts/kernel-source --pristine) && \
		scripts/export "$$dir/linux" build/patches

#: make deb            Debian packages of the kernel and the tools, in build/deb;
#:                     CONFIG=small, cloud, running or none (only the tools)
deb:
	@scripts/install-packages run deb $(filter cloud,$(CONFIG))
	@scripts/deb $(CONFIG)

#: make clean          remove build/
clean:
	rm -rf build

build/work: tests/guest/work.c
	@mkdir -p build
	$(CC) $(CFLAGS) -o $@ $<

build/sleeps: tests/guest/sleeps.c
	@mkdir -p build
	$(CC) $(CFLAGS) -pthread -o $@ $<

build/meter: tests/bench/meter.c
	@mkdir -p build
	$(CC) $(CFLAGS) -o $@ $<

build/torture: tests/torture/torture.c
	@mkdir -p build
	$(CC) $(CFLAGS) -o $@ $<

#:
#: VERSION=6.12 or 6.1, or KERNEL=directory or tarball, choose the kernel.
.PHONY: programs help run shell bench kernel check check-debug torture unit lint apply revert patches deb clean
