#include "allocations.hpp"

#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <new>

#include "probmix/base/error.hpp"

namespace {

// Constant initialisation: malloc is called before any constructor runs.
constinit std::atomic<bool> counting = false;
constinit std::atomic<long> count = 0;

void note() {
  if (counting.load(std::memory_order_relaxed)) count.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

namespace probmix::bench {

void start_counting_allocations() {
  count = 0;
  counting = true;
}

long stop_counting_allocations() {
  counting = false;
  return count;
}

void check_allocations_are_seen() {
  const long seen = count_allocations([] {  // both forms of new are in libstdc++
    constexpr std::align_val_t alignment{64};
    ::operator delete(::operator new(1));
    ::operator delete(::operator new(64, alignment), alignment);
  });
  check(seen == 2, "the counter of allocations saw {} of 2; is malloc replaced otherwise?", seen);
}

}  // namespace probmix::bench

extern "C" {
// The names of glibc's own malloc and so on. NOLINTBEGIN(bugprone-reserved-identifier)
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(std::size_t size) noexcept {
  note();
  return __libc_malloc(size);
}

void* calloc(std::size_t number, std::size_t size) noexcept {
  note();
  return __libc_calloc(number, size);
}

void* realloc(void* memory, std::size_t size) noexcept {
  note();
  return __libc_realloc(memory, size);
}

void* memalign(std::size_t alignment, std::size_t size) noexcept {
  note();
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  note();
  if (!std::has_single_bit(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* const found = __libc_memalign(alignment, size);
  if (found == nullptr) return ENOMEM;
  *memory = found;
  return 0;
}
}
