// What is shown of a model and of how good it is.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "probmix/model/evaluation.hpp"
#include "probmix/model/model.hpp"
#include "probmix/report/page/table.hpp"

namespace probmix::report {

// A row for each score, a column for each target.
Table evaluation_table(const Evaluation& evaluation, const Target& target);

// One row for each column that a model reads.
Table input_table(const Model& model);

// Names and values: what the model is, and the options that it was trained with.
std::vector<std::pair<std::string, std::string>> model_facts(const Model& model);
std::vector<std::pair<std::string, std::string>> model_options(const Model& model);

// A page with scores and pictures; `name` and `data` are what it calls the model and the rows.
std::string model_page(const Model& model, const Evaluation& evaluation, const std::string& name,
                       const std::string& data);

}  // namespace probmix::report
