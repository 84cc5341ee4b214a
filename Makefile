# Two commands do everything, set-up included:  make demo  and  make test.
.PHONY: demo test build packages test-asan-ubsan test-tsan format lint clean
.DEFAULT_GOAL := build

packages:  # installs what is missing, and is quick when nothing is
	@tools/install-packages

build/build.ninja: | packages
	cmake --preset release

build: packages build/build.ninja
	@cmake --build --preset release

demo: packages build/build.ninja
	@cmake --build --preset release --target probmix_app
	build/probmix demo

test: build
	ctest --preset release --parallel 2

# The same tests with the address and undefined behaviour, or the thread sanitizer.
test-asan-ubsan test-tsan: test-%: packages
	cmake --preset $*
	@cmake --build --preset $*
	ctest --preset $* --parallel 2

format:
	@tools/install-packages clang-format
	clang-format -i $$(git ls-files '*.hpp' '*.cpp')

# clang-tidy cannot read the headers that gcc precompiled.
lint:
	@tools/install-packages clang-tidy libomp-dev
	cmake --preset release -B build/lint -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
	git ls-files 'src/*.cpp' 'apps/*.cpp' | xargs -P 2 -n 4 clang-tidy -p build/lint --quiet

clean:
	rm -rf build
