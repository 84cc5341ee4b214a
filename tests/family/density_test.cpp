// Every family of the list, as a density.
#include "family/density_suite.hpp"

namespace probmix::test {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Own, DensityTest, AllFamilies);

}  // namespace
}  // namespace probmix::test
