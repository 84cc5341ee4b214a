// Arrays of numpy to and from the library.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix::python {

template <class T>
using Array1 = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using Array2 = nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

template <class T>
View<const T> view_of(const Array2<T>& array) {
  return {array.data(), static_cast<Index>(array.shape(0)), static_cast<Index>(array.shape(1))};
}

// An array that takes over the memory of a container.
template <class Container>
nanobind::object to_numpy(Container values, std::initializer_list<Index> shape) {
  using T = std::remove_reference_t<decltype(*values.data())>;
  auto kept = std::make_unique<Container>(std::move(values));
  std::vector<std::size_t> sizes;
  for (const Index size : shape) sizes.push_back(to_size(size));
  T* const data = kept->data();
  const nanobind::capsule owner(kept.release(), [](void* container) noexcept {
    delete static_cast<Container*>(container);
  });
  return nanobind::cast(
      nanobind::ndarray<nanobind::numpy, T>(data, sizes.size(), sizes.data(), owner));
}

template <class T>
nanobind::object to_numpy(Matrix<T> matrix) {
  const Index rows = matrix.rows(), cols = matrix.cols();
  return to_numpy(std::move(matrix), {rows, cols});
}

}  // namespace probmix::python
