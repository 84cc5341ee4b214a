// The options of columns and series.
#include "probmix/options/option_fields.hpp"

namespace probmix {

using namespace option_fields;
using namespace option_group;

namespace {

bool is_series(const FitOptions& o) { return o.series.is_series(); }

}  // namespace

std::vector<Option> column_options() {
  return {
      field(
          {.name = "target",
           .group = columns,
           .kind = Kind::names,
           .help = "Column to predict; several give a joint density of real numbers"},
          [](auto& o) -> auto& { return o.targets; }),
      field(
          {.name = "inputs",
           .alias = "features",
           .group = columns,
           .kind = Kind::names,
           .help = "Columns to predict from; put a name with a comma in double quotes",
           .automatic = "all other columns"},
          [](auto& o) -> auto& { return o.inputs; }),
      used_if([](const FitOptions& o) { return !o.weights.empty(); },
              field(
                  {.name = "weights",
                   .group = columns,
                   .kind = Kind::name,
                   .help = "Column of row weights"},
                  [](auto& o) -> auto& { return o.weights; })),
      used_if([](const FitOptions& o) { return !o.series.group.empty(); },
              field(
                  {.name = "group",
                   .group = columns,
                   .kind = Kind::name,
                   .help = "Column of groups: rows of a group are all for training or all for "
                           "validation; windows of a series stay within a group"},
                  [](auto& o) -> auto& { return o.series.group; })),
      used_if([](const FitOptions& o) { return !o.series.time.empty(); },
              field(
                  {.name = "time",
                   .alias = "date-column",
                   .group = columns,
                   .kind = Kind::name,
                   .help = "Column of dates or numbers; the latest rows are for validation"},
                  [](auto& o) -> auto& { return o.series.time; })),
      field(
          {.name = "most-levels",
           .group = columns,
           .kind = Kind::whole,
           .help = "Most levels of a category that get their own input; rarer levels share one",
           .range = between(1, 100'000)},
          [](auto& o) -> auto& { return o.most_levels; }),
      used_if([](const FitOptions& o) { return o.embed_from > 0; },
              field(
                  {.name = "embed-categories",
                   .group = columns,
                   .kind = Kind::whole,
                   .help = "Learn an embedding for categories with at least this many levels; "
                           "0: never",
                   .range = between(0, 1'000'000)},
                  [](auto& o) -> auto& { return o.embed_from; })),
      choice(
          {.name = "limit-inputs",
           .group = columns,
           .help = "Clip inputs at the 0.1 % and 99.9 % quantiles of the training rows, or three "
                   "times their range beyond it (wide)"},
          limit_inputs_names, [](auto& o) -> auto& { return o.limit_inputs; }),
      used_if(
          is_mlp,
          choice(
              {.name = "encode",
               .group = columns,
               .help = "How an mlp sees numbers: as they are, or also piecewise linearly between "
                       "quantiles (ple)",
               .automatic = "ple for mlp, none with `preset` fast"},
              encode_names, [](auto& o) -> auto& { return o.encode; })),
      used_if([](const FitOptions& o) { return o.encode != Encode::none; },
              field(
                  {.name = "bins",
                   .group = columns,
                   .kind = Kind::whole,
                   .help = "Bins of an encoded number",
                   .automatic = "a sixtieth of the rows, from 16 to 64",
                   .range = between(2, NumberKnots::most - 1)},
                  [](auto& o) -> auto& { return o.bins; })),
      field(
          {.name = "validation",
           .group = columns,
           .kind = Kind::real,
           .help = "Share of rows held out to choose the best epoch; 0: none, keep the last epoch",
           .range = share},
          [](auto& o) -> auto& { return o.validation; }),
      used_if([](const FitOptions& o) { return o.validation > 0; },
              choice(
                  {.name = "validation-rows",
                   .alias = "validation-windows",
                   .group = columns,
                   .help = "Which rows or windows are for validation",
                   .automatic = "last with a time or window, else random"},
                  validation_rows_names, [](auto& o) -> auto& { return o.validation_rows; })),
  };
}

std::vector<Option> series_options() {
  constexpr double longest = SeriesShape::longest;
  return {
      field(
          {.name = "window",
           .group = series,
           .kind = Kind::whole,
           .help = "Number of rows, in file order, that a prediction sees",
           .range = between(1, longest)},
          [](auto& o) -> auto& { return o.series.window; }),
      field(
          {.name = "horizon",
           .group = series,
           .kind = Kind::whole,
           .help = "Rows from the end of the window to the row whose target is predicted",
           .range = between(0, longest)},
          [](auto& o) -> auto& { return o.series.horizon; }),
      used_if(is_series,
              choice(
                  {.name = "straddling",
                   .group = series,
                   .help = "Windows near the boundary of a held-out period: learn "
                           "only from what was known before its first forecast, "
                           "leave out held-out windows that begin before it, or "
                           "keep all"},
                  straddling_names, [](auto& o) -> auto& { return o.rules.straddling; })),
      used_if(is_series, choice(
                             {.name = "gaps",
                              .group = series,
                              .help = "Gaps between dates: no window reaches across, they are "
                                      "an error, or they are ignored"},
                             gap_rule_names, [](auto& o) -> auto& { return o.rules.gaps; })),
      used_if(is_series,
              field(
                  {.name = "max-gap-days",
                   .group = series,
                   .kind = Kind::real,
                   .help = "A longer time between two rows is a gap; 0: a few times the usual one",
                   .range = from(0)},
                  [](auto& o) -> auto& { return o.rules.max_gap_days; })),
      used_if(is_series,
              choice(
                  {.name = "scale-by",
                   .group = series,
                   .help = "Windows whose mean and deviation standardise the columns; all "
                           "includes held-out ones, which looks ahead"},
                  scale_by_names, [](auto& o) -> auto& { return o.rules.scale_by; })),
  };
}

}  // namespace probmix
