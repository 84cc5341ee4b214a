// A table for other programs. The best values are bold where the format has bold text.
#pragma once

#include <string>

#include "probmix/report/page/table.hpp"

namespace probmix::report {

std::string csv_table(const Table& table);       // RFC 4180, with \n
std::string markdown_table(const Table& table);  // as on GitHub
// A tabular; its first line names the packages it needs: booktabs for rules, amssymb for ▴ and ▾.
std::string latex_table(const Table& table);

}  // namespace probmix::report
