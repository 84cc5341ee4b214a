// A panel of columns of B is packed on the stack, zero-padded to whole vectors (or read in place if
// it is hardly read again); a tile of sums, held in registers, then goes down the rows of A. A deep
// product takes several passes: the later ones start from what is in C.
#include "probmix/kernel/product.hpp"

#include <algorithm>
#include <limits>
#include <utility>

// A tile is an array of vectors, which vectors of unknown size cannot form.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (PROBMIX_DISABLED_TARGETS | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/product.cpp"
#include <hwy/foreach_target.h>

#include "probmix/base/error.hpp"
#include "probmix/kernel/lanes-inl.hpp"
#include "probmix/kernel/naive.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

constexpr auto lanes = static_cast<Index>(hn::MaxLanes(Lanes32()));
constexpr Index pass_depth = 256;  // a panel of two vectors takes 16 KB on AVX2

// As many sums as registers hold beside the operands: 12 of 16, or 24 of 32.
constexpr bool many_registers = HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON;
template <int Vectors>
constexpr int tile_rows = (many_registers ? 24 : 12) / Vectors;

// What a tile needs to know of the product, for one panel and one pass.
struct Pass {
  Index depth;
  Index a_row, a_col;
  const float* b;
  Index b_row;
  Index start_row;
  Index c_row;
  float floor;
};

// Where a tile stands.
struct Cursor {
  const float* a;
  const float* start;
  float* c;
};

template <std::size_t... V>
HWY_INLINE void add_row(Vec32 a, const Vec32* b, Vec32* sums, std::index_sequence<V...>) {
  ((sums[V] = hn::MulAdd(a, b[V], sums[V])), ...);
}

// Hides from the compiler how a value was computed. It would keep the distance of each row of A in
// a register of its own, run out of them, and reload in the innermost loop.
template <class T>
HWY_INLINE T opaque(T value) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
  asm("" : "+r"(value));
#endif
  return value;
}

// The elements of A that one column of it adds to a tile. Four rows share a pointer, so that all
// are reached from few registers: 1, 2 and 3 rows below it.
template <int Rows>
class ColumnOfA {
 public:
  HWY_INLINE ColumnOfA(const float* a, Index row) : row_(row), rows3_(opaque(3 * row)) {
    for (int g = 0; g < groups; ++g) group_[g] = opaque(a + 4 * g * row);
  }
  HWY_INLINE float operator[](int r) const {
    const float* const p = group_[r / 4];
    return r % 4 == 3 ? p[rows3_] : p[r % 4 * row_];
  }
  HWY_INLINE void advance(Index step) {
    for (int g = 0; g < groups; ++g) group_[g] += step;
  }

 private:
  static constexpr int groups = (Rows + 3) / 4;
  const float* group_[groups];
  Index row_, rows3_;
};

// Unlike a maximum, it leaves NaN on every instruction set.
HWY_INLINE Vec32 at_least(Vec32 floor, Vec32 x) {
  return hn::IfThenElse(hn::Lt(x, floor), floor, x);
}

// Rows × Vectors of C, the last vector of each row by `last`.
template <int Vectors, class Last, std::size_t... R>
HWY_INLINE void tile(const Pass& pass, Last last, const Cursor& at, std::index_sequence<R...>) {
  const Lanes32 d;
  constexpr int rows = sizeof...(R);
  constexpr Index at_last = (Vectors - 1) * lanes;
  Vec32 sums[rows * Vectors];
  for (Index r = 0; r < rows; ++r) {
    const float* const from = at.start + r * pass.start_row;
    for (Index v = 0; v + 1 < Vectors; ++v) sums[r * Vectors + v] = hn::LoadU(d, from + v * lanes);
    sums[r * Vectors + Vectors - 1] = last.load(from + at_last);
  }
  ColumnOfA<rows> a(at.a, pass.a_row);
  const float* b = pass.b;
  for (Index l = 0; l < pass.depth; ++l) {
    Vec32 vectors[Vectors];
    for (Index v = 0; v < Vectors; ++v) vectors[v] = hn::LoadU(d, b + v * lanes);
    (add_row(hn::Set(d, a[R]), vectors, sums + R * Vectors, std::make_index_sequence<Vectors>()),
     ...);
    b += pass.b_row;
    a.advance(pass.a_col);
  }
  const Vec32 floor = constant(pass.floor);
  for (Index r = 0; r < rows; ++r) {
    float* const to = at.c + r * pass.c_row;
    for (Index v = 0; v + 1 < Vectors; ++v) {
      hn::StoreU(at_least(floor, sums[r * Vectors + v]), d, to + v * lanes);
    }
    last.store(at_least(floor, sums[r * Vectors + Vectors - 1]), to + at_last);
  }
}

// `count` tiles of `rows` <= Rows rows, one below the other.
template <int Rows, int Vectors, class Last>
void run_tiles(const Pass& pass, Last last, Index rows, Index count, Cursor& at) {
  if (rows == Rows) {
    for (Index t = 0; t < count; ++t) {
      tile<Vectors>(pass, last, at, std::make_index_sequence<Rows>());
      at.a += Rows * pass.a_row;
      at.start += Rows * pass.start_row;
      at.c += Rows * pass.c_row;
    }
  } else if constexpr (Rows > 1) {
    run_tiles<Rows - 1, Vectors>(pass, last, rows, count, at);
  }
}

// All rows, in as few tiles as possible and these of equal height, give or take one: a low tile has
// too few sums under way to keep the processor busy.
template <int Vectors, class Last>
void run_rows(const Pass& pass, Last last, Index m, Cursor at) {
  constexpr int most = tile_rows<Vectors>;
  const Index tiles = (m + most - 1) / most;
  const Index low = m / tiles;
  const Index higher = m - low * tiles;
  run_tiles<most, Vectors>(pass, last, low + 1, higher, at);
  run_tiles<most, Vectors>(pass, last, low, tiles - higher, at);
}

// panel[l * width + c] = B(l, c).
void pack_rows(const Strided<float>& b, Index depth, Index cols, Index width, float* panel) {
  for (Index l = 0; l < depth; ++l) {
    const float* const from = b.data + l * b.row;
    float* const to = panel + l * width;
    for_lanes(cols, [&](auto part, Index c)
                        HWY_ATTR { hn::Store(part.load(from + c), Lanes32(), to + c); });
  }
}

// to(l, c) = from(c, l) for four by four numbers.
HWY_INLINE void transpose4(const float* from, Index from_row, float* to, Index to_row) {
#if HWY_TARGET == HWY_SCALAR
  for (Index l = 0; l < 4; ++l) {
    for (Index c = 0; c < 4; ++c) to[l * to_row + c] = from[c * from_row + l];
  }
#else
  const hn::FixedTag<float, 4> d;
  const hn::RepartitionToWide<decltype(d)> pairs;
  const auto x0 = hn::LoadU(d, from);
  const auto x1 = hn::LoadU(d, from + from_row);
  const auto x2 = hn::LoadU(d, from + 2 * from_row);
  const auto x3 = hn::LoadU(d, from + 3 * from_row);
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, x0, x1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, x2, x3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, x0, x1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, x2, x3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, to);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, to + to_row);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, to + 2 * to_row);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, to + 3 * to_row);
#endif
}

// The same for a B whose columns are contiguous.
HWY_NOINLINE void pack_columns(const Strided<float>& b, Index depth, Index cols, Index width,
                               float* panel) {
  if (cols < width) std::fill_n(panel, depth * width, 0.0F);
  Index c = 0;
  for (; c + 4 <= cols; c += 4) {
    const float* const from = b.data + c * b.col;
    Index l = 0;
    for (; l + 4 <= depth; l += 4) transpose4(from + l, b.col, panel + l * width + c, width);
    for (; l < depth; ++l) {
      for (Index k = 0; k < 4; ++k) panel[l * width + c + k] = from[k * b.col + l];
    }
  }
  for (; c < cols; ++c) {
    for (Index l = 0; l < depth; ++l) panel[l * width + c] = b.data[c * b.col + l];
  }
}

// `cols` columns of C from column `first` on, at most Vectors vectors.
template <int Vectors>
void run_panel(const Product<float>& p, Index first, Index cols) {
  constexpr Index width = Vectors * lanes;
  HWY_ALIGN static constexpr float zeros[width] = {};
  HWY_ALIGN float panel[pass_depth * width];
  for (Index l = 0; l == 0 || l < p.k; l += pass_depth) {
    const Index depth = std::min(pass_depth, p.k - l);
    const Strided<float> b{p.b.data + l * p.b.row + first * p.b.col, p.b.row, p.b.col};
    // Not worth a copy, as it is read only once or twice.
    const bool in_place = b.col == 1 && cols == width && p.m <= 2 * tile_rows<Vectors>;
    if (!in_place && b.col == 1) pack_rows(b, depth, cols, width, panel);
    if (!in_place && b.col != 1) pack_columns(b, depth, cols, width, panel);
    const Start<float> start = l == 0 ? p.start : Start<float>::from_c();
    const float* const from = start.kind == Start<float>::Kind::row    ? start.row + first
                              : start.kind == Start<float>::Kind::zero ? zeros
                                                                       : p.c + first;
    const bool is_last = l + depth == p.k;
    const Pass pass{depth,
                    p.a.row,
                    p.a.col,
                    in_place ? b.data : panel,
                    in_place ? b.row : width,
                    start.kind == Start<float>::Kind::c ? p.c_row : 0,
                    p.c_row,
                    is_last ? p.floor : -std::numeric_limits<float>::infinity()};
    const Cursor at{p.a.data + l * p.a.col, from, p.c + first};
    if (cols == width) {
      run_rows<Vectors>(pass, WholeVector{}, p.m, at);
    } else {
      run_rows<Vectors>(pass, FirstLanes{static_cast<std::size_t>(cols - width + lanes)}, p.m, at);
    }
  }
}

// The last columns in whole vectors, if there are enough columns: some that the previous panel has
// computed get the same bits again. Sums that start from C cannot be computed twice.
template <int Vectors>
void run_last_panel(const Product<float>& p, Index first) {
  constexpr Index width = Vectors * lanes;
  const bool again = p.n >= width && p.start.kind != Start<float>::Kind::c;
  if (again) first = p.n - width;
  run_panel<Vectors>(p, first, p.n - first);
}

void run_panels(const Product<float>& p) {
  Index first = 0;
  if (p.m <= tile_rows<4>) {
    for (; first + 4 * lanes <= p.n; first += 4 * lanes) run_panel<4>(p, first, 4 * lanes);
  }
  for (; first + 2 * lanes <= p.n; first += 2 * lanes) run_panel<2>(p, first, 2 * lanes);
  if (first + lanes < p.n) {
    run_last_panel<2>(p, first);
  } else if (first < p.n) {
    run_last_panel<1>(p, first);
  }
}

constexpr Index max_turned_rows = 256;

// C has few columns, which would leave lanes idle, while its rows fill vectors, and A is
// transposed: the gradient of the weights of a first layer. (Elsewhere a row must not depend on the
// number of rows.)
bool is_better_turned(const Product<float>& p) {
  return p.start.kind == Start<float>::Kind::c && p.a.row == 1 &&
         p.floor == -std::numeric_limits<float>::infinity() && p.n < 2 * lanes &&
         p.n % lanes != 0 && p.m % (2 * lanes) == 0 && p.m <= max_turned_rows;
}

// C += (Bᵀ Aᵀ)ᵀ.
void run_turned(const Product<float>& p) {
  HWY_ALIGN float turned[2 * lanes * max_turned_rows];
  run_panels({.m = p.n,
              .n = p.m,
              .k = p.k,
              .a = p.b.transposed(),
              .b = p.a.transposed(),
              .c = turned,
              .c_row = p.m});
  for (Index r = 0; r < p.m; ++r) {
    for (Index c = 0; c < p.n; ++c) p.c[r * p.c_row + c] += turned[c * p.m + r];
  }
}

void product_lanes(const Product<float>& p) {
  if (is_better_turned(p)) {
    run_turned(p);
  } else {
    run_panels(p);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(product_lanes);

void product(const Product<float>& p) {
  check(p.b.row == 1 || p.b.col == 1, "B needs contiguous rows or columns, not strides {} and {}",
        p.b.row, p.b.col);
  if (p.m > 0 && p.n > 0) HWY_DYNAMIC_DISPATCH(product_lanes)(p);
}
void product(const Product<double>& p) { naive::product(p); }

}  // namespace probmix::kernel
#endif  // HWY_ONCE
