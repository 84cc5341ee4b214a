// The stock forecasts as a table and as a page with pictures.
#pragma once

#include <span>
#include <string>

#include "probmix/experiment/stock_study.hpp"
#include "probmix/report/table.hpp"

namespace probmix {

// The best of each stock and architecture are marked.
Table stock_table(std::span<const StockSummary> summaries);

std::string stock_page(const StockPlan& plan, std::span<const StockSummary> summaries);

}  // namespace probmix
