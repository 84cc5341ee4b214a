// Tables and a page about a model and its scores.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "probmix/model/beside_baseline.hpp"
#include "probmix/model/model.hpp"
#include "probmix/report/page/table.hpp"

namespace probmix::report {

// One row per score. The columns are the model and its baselines, or several targets.
Table evaluation_table(const EvaluationBeside& found, const Target& target);

// One row per column that the model reads.
Table input_table(const Model& model);

// What the model is, and the options it was trained with, as names and values.
std::vector<std::pair<std::string, std::string>> model_facts(const Model& model);
std::vector<std::pair<std::string, std::string>> model_options(const Model& model);

// A page with scores and charts; `name` is the model's name on it, `data` that of the rows.
std::string model_page(const Model& model, const EvaluationBeside& found, const std::string& name,
                       const std::string& data);

}  // namespace probmix::report
