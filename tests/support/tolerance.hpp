// The one vocabulary of tolerances; a test that needs another states the reason on its line.
#pragma once

namespace probmix::test {

inline constexpr double exact = 0;                // same bits
inline constexpr double double_rounding = 1e-12;  // a few operations in double
inline constexpr double golden = 1e-9;            // double against an independent implementation
inline constexpr double gradient = 1e-7;          // central differences in double
inline constexpr double float_rounding = 2e-6;    // a few operations in float, relative
inline constexpr double quadrature = 1e-8;        // numerical integration of a density

}  // namespace probmix::test
