// The paper's example of two observations as a page: the process and the densities.
#pragma once

#include <string>

#include "probmix/paper/illustration.hpp"
#include "probmix/report/page/table.hpp"

namespace probmix::report {

// The densities with their NLLs.
Table illustration_table(const Illustration& example);

std::string illustration_page(const Illustration& example);

}  // namespace probmix::report
