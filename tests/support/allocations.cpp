#include "support/allocations.hpp"

#include <cstdlib>
#include <new>

namespace {
thread_local long count = 0;
}

namespace probmix::test {
long allocations() { return count; }
}  // namespace probmix::test

// The other forms of new call these. (The sanitizer's own std::nothrow form, used by sorting, would
// not match the delete below.)
void* operator new(std::size_t size) {
  ++count;
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++count;
  return std::malloc(size == 0 ? 1 : size);
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  ++count;
  const auto boundary = static_cast<std::size_t>(alignment);
  const std::size_t rounded = (size + boundary - 1) / boundary * boundary;
  if (void* const memory = std::aligned_alloc(boundary, rounded)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
