// Tables for other programs. The best values are bold where the format knows that.
#pragma once

#include <string>

#include "probmix/report/table.hpp"

namespace probmix {

std::string csv_table(const Table& table);       // RFC 4180, with \n
std::string markdown_table(const Table& table);  // as on GitHub
std::string latex_table(const Table& table);     // a tabular with the rules of booktabs

}  // namespace probmix
