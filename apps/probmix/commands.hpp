// The subcommands: each adds itself, its options and its help to the parser. It runs as a callback
// during the parse, and reports failure by throwing.
#pragma once

#include <CLI/CLI.hpp>

namespace probmix::app {

void add_demo(CLI::App& app);
void add_methods(CLI::App& app);
void add_illustration(CLI::App& reproduce);
void add_toy_regression(CLI::App& reproduce);
void add_pooling(CLI::App& reproduce);
void add_latent(CLI::App& reproduce);
void add_toy_classification(CLI::App& reproduce);
void add_uci(CLI::App& reproduce);
void add_stocks(CLI::App& reproduce);
void add_studies(CLI::App& reproduce);  // from toy-regression to stocks
void add_best(CLI::App& reproduce);
void add_tables(CLI::App& reproduce);
void add_all(CLI::App& reproduce);
void add_report(CLI::App& app);
void add_train(CLI::App& app);
void add_predict(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_compare(CLI::App& app);
void add_info(CLI::App& app);

}  // namespace probmix::app
