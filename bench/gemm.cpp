#include "gemm.hpp"

#include <omp.h>
#include <oneapi/dnnl/dnnl.h>

#include "probmix/base/error.hpp"

namespace probmix::bench {
namespace {

// oneDNN would share each product among OMP_NUM_THREADS threads. The setting belongs to the calling
// thread and is restored.
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
  const SingleThreaded guard;
  const auto letter = [](Op op) { return op == Op::none ? 'N' : 'T'; };
  const dnnl_status_t status =
      dnnl_sgemm(letter(op_a), letter(op_b), m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  check(status == dnnl_success,
        "gemm: oneDNN refused the product of {}x{} and {}x{} (leading dimensions {}, {}, {}) with "
        "status {}",
        m, k, k, n, lda, ldb, ldc, static_cast<int>(status));
}

}  // namespace probmix::bench
