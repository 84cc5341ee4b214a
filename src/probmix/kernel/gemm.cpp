#include "probmix/kernel/gemm.hpp"

#include <omp.h>
#include <oneapi/dnnl/dnnl.h>

#include "probmix/base/error.hpp"
#include "probmix/kernel/naive.hpp"

namespace probmix::kernel {
namespace {

// oneDNN would share each product among OMP_NUM_THREADS threads, but the products are far too small
// for that, and each run already owns a core. The setting belongs to the calling thread and is
// restored.
class SingleThreaded {
 public:
  SingleThreaded() : kept_(omp_get_max_threads()) {
    if (kept_ != 1) omp_set_num_threads(1);
  }
  ~SingleThreaded() {
    if (kept_ != 1) omp_set_num_threads(kept_);
  }
  SingleThreaded(const SingleThreaded&) = delete;
  SingleThreaded& operator=(const SingleThreaded&) = delete;

 private:
  int kept_;
};

}  // namespace

void gemm(Op op_a, Op op_b, Index m, Index n, Index k, float alpha, const float* a, Index lda,
          const float* b, Index ldb, float beta, float* c, Index ldc) {
  if (m == 0 || n == 0) return;
  if (k == 0) {  // nothing to add, and a and b may be null, which oneDNN refuses
    naive::gemm(op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    return;
  }
  const SingleThreaded guard;
  const auto letter = [](Op op) { return op == Op::none ? 'N' : 'T'; };
  const dnnl_status_t status =
      dnnl_sgemm(letter(op_a), letter(op_b), m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  check(status == dnnl_success,
        "gemm: oneDNN refused the product of {}x{} and {}x{} (leading dimensions {}, {}, {}) with "
        "status {}",
        m, k, k, n, lda, ldb, ldc, static_cast<int>(status));
}

void gemm(Op op_a, Op op_b, Index m, Index n, Index k, double alpha, const double* a, Index lda,
          const double* b, Index ldb, double beta, double* c, Index ldc) {
  naive::gemm(op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

}  // namespace probmix::kernel
