// The yardstick of our own products: oneDNN's sgemm, row-major. The library itself does without.
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix::bench {

enum class Op { none, transpose };

// C (m × n) = alpha · op_a(A) (m × k) · op_b(B) (k × n) + beta · C. A leading dimension is the
// distance between two rows of a matrix as stored. Runs in the calling thread alone, whatever
// OMP_NUM_THREADS says. Throws Error if oneDNN refuses.
void gemm(Op op_a, Op op_b, Index m, Index n, Index k, float alpha, const float* a, Index lda,
          const float* b, Index ldb, float beta, float* c, Index ldc);

}  // namespace probmix::bench
