# Two commands do everything, set-up included:  make demo  and  make test.
.PHONY: demo test build packages test-sanitizers format lint clean
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

# The same tests with the address, undefined behaviour and thread sanitizers (several minutes).
test-sanitizers: packages
	@for preset in asan-ubsan tsan; do \
	  cmake --preset $$preset && cmake --build --preset $$preset && \
	  ctest --preset $$preset --parallel 2 || exit 1; \
	done

format:
	clang-format -i $$(git ls-files '*.hpp' '*.cpp')

lint: build
	clang-tidy -p build --quiet $$(git ls-files 'src/*.cpp' 'apps/*.cpp')

clean:
	rm -rf build
