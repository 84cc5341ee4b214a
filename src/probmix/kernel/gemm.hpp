// Matrix products, row-major: float by oneDNN (gemm.cpp is the only file that includes it), double
// by the naive twin.
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix::kernel {

enum class Op { none, transpose };

// C (m × n) = alpha · op_a(A) (m × k) · op_b(B) (k × n) + beta · C. A leading dimension is the
// distance between two rows of a matrix as stored. C is not read when beta = 0, so it may hold
// anything; m, n or k may be 0 (k = 0 leaves C = beta · C).
//
// Runs in the calling thread alone, whatever OMP_NUM_THREADS says, and leaves the caller's OpenMP
// settings as they were; hence the same bits whatever else runs. Throws Error if oneDNN refuses.
void gemm(Op op_a, Op op_b, Index m, Index n, Index k, float alpha, const float* a, Index lda,
          const float* b, Index ldb, float beta, float* c, Index ldc);
void gemm(Op op_a, Op op_b, Index m, Index n, Index k, double alpha, const double* a, Index lda,
          const double* b, Index ldb, double beta, double* c, Index ldc);

}  // namespace probmix::kernel
