// Trained models, and the rows of a table as their inputs.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <numeric>

#include "arrays.hpp"
#include "bindings.hpp"
#include "densities.hpp"
#include "probmix/base/error.hpp"
#include "probmix/data/memory_frame.hpp"
#include "probmix/model/examples.hpp"
#include "probmix/model/model.hpp"
#include "table.hpp"

namespace nb = nanobind;

namespace probmix::python {
namespace {

// The rows (in a series: windows) of a table as a model sees them.
class Rows {
 public:
  Rows(std::shared_ptr<const Model> model, const Table& table, Index threads)
      : model_(std::move(model)), threads_(threads), predict_(*model_, threads) {
    const nb::gil_scoped_release unlocked;
    frame_ = memory_frame(table.columns, table.name);
    SeriesShape shape = model_->series;
    shape.horizon = 0;
    examples_ = find_examples(frame_, shape, {.gaps = GapRule::ignore}, {});
    if (model_->series.is_series()) encoded_ = model_->inputs.encode(frame_, oddities_);
  }

  Index count() const { return examples_.count(); }
  const std::vector<Index>& last() const { return examples_.last; }
  const InputOddities& oddities() const { return oddities_; }

  // The densities of rows [first, end). Throws an Error unless they are finite.
  Densities densities(Index first, Index end) {
    check_range("the first row", first, 0, count());
    check_range("the end of the rows", end, first, count());
    const nb::gil_scoped_release unlocked;
    const Matrix<float> x = inputs(first, end);
    AlignedVector<float> out;
    const Index block = predict_.block_rows();
    for (Index r = 0; r < x.rows(); r += block) {
      const Index rows = std::min(block, x.rows() - r);
      const View<const float> some = predict_.outputs({x.row(r), rows, x.cols()});
      out.insert(out.end(), some.data, some.data + some.size());
    }
    std::vector<Index> numbers(to_size(end - first));
    std::iota(numbers.begin(), numbers.end(), first);
    Densities densities(model_, std::move(out), predict_.all_members(), std::move(numbers),
                        threads_);
    densities.for_each([&](Index r, const Predictive& density) {
      check(density.is_finite(),
            "the model predicts no finite density for row {}; train it again, with a smaller "
            "`learning-rate` or `clip` 1",
            first + r);
    });
    return densities;
  }

 private:
  Matrix<float> inputs(Index first, Index end) {
    const std::span<const Index> last(examples_.last);
    if (model_->series.is_series()) {
      return gather_windows(encoded_, last.subspan(to_size(first), to_size(end - first)),
                            model_->series.window);
    }
    Matrix<float> x(end - first, model_->inputs.width());
    model_->inputs.encode(frame_, first, x.view(), oddities_);
    return x;
  }

  std::shared_ptr<const Model> model_;
  Index threads_;
  ModelPredictor predict_;
  Frame frame_;
  Examples examples_;
  Matrix<float> encoded_;  // of a series, whose windows overlap
  InputOddities oddities_;
};

using Shared = std::shared_ptr<const Model>;

Shared shared(Model model) { return std::make_shared<const Model>(std::move(model)); }

nb::bytes bytes_of(const Model& model) {
  const std::string bytes = to_file(model);
  return nb::bytes(bytes.data(), bytes.size());
}

Model model_from(const nb::bytes& bytes) {
  return parse_model({bytes.c_str(), bytes.size()}, "the model");
}

// (name, kind, whether missing values are an input, mean, scale, levels) of each input column.
nb::list inputs_of(const Model& model) {
  nb::list list;
  for (const InputColumn& column : model.inputs.columns()) {
    const std::string_view kind = column_kind_names[static_cast<std::size_t>(column.kind())];
    const auto add = [&](bool missing, double mean, double scale,
                         const std::vector<std::string>& levels) {
      list.append(nb::make_tuple(column.name, nb::str(kind.data(), kind.size()), missing, mean,
                                 scale, levels));
    };
    if (const auto* const category = std::get_if<CategoryInput>(&column.how)) {
      add(category->has_missing, 0, 1, category->levels);
    } else if (const auto* const date = std::get_if<DateInput>(&column.how)) {
      add(date->marks_missing, date->mean, date->scale, {});
    } else {
      const auto& number = std::get<NumberInput>(column.how);
      add(number.marks_missing, number.mean, number.scale, {});
    }
  }
  return list;
}

}  // namespace

void bind_model(nb::module_& m) {
  nb::class_<Model>(m, "Model")
      .def("save",
           [](const Model& model, const std::string& path) {
             const nb::gil_scoped_release unlocked;
             save_model(model, path);
           })
      .def("to_bytes", bytes_of)
      .def("__getstate__", bytes_of)
      .def("__setstate__",
           [](Model& model, const nb::bytes& bytes) { new (&model) Model(model_from(bytes)); })
      .def("description", [](const Model& model) { return description_text(model); })
      .def_prop_ro("targets", [](const Model& model) { return model.target.names; })
      .def_prop_ro("classes", [](const Model& model) { return model.target.classes; })
      .def_prop_ro("family", [](const Model& model) { return model.target.family; })
      .def_prop_ro("seed", [](const Model& model) { return model.seed; })
      .def_prop_ro("is_series", [](const Model& model) { return model.series.is_series(); })
      .def_prop_ro("window", [](const Model& model) { return model.series.window; })
      .def_prop_ro("horizon", [](const Model& model) { return model.series.horizon; })
      .def_prop_ro("networks", &Model::networks)
      .def("inputs", inputs_of)
      .def_prop_ro("input_columns", [](const Model& model) {
        std::vector<std::string> names;
        for (const InputColumn& column : model.inputs.columns()) names.push_back(column.name);
        return names;
      });
  m.def("load_model", [](const std::string& path) {
    const nb::gil_scoped_release unlocked;
    return shared(load_model(path));
  });
  m.def("parse_model", [](const nb::bytes& bytes) { return shared(model_from(bytes)); });
  nb::class_<Rows>(m, "Rows")
      .def(nb::init<Shared, const Table&, Index>())
      .def_prop_ro("count", &Rows::count)
      .def_prop_ro("last", [](const Rows& rows) { return to_numpy(rows.last(), {rows.count()}); })
      .def("densities", &Rows::densities)
      // (how many, the first) of missing, unseen and extreme values, in the rows so far.
      .def("oddities", [](const Rows& rows) {
        const InputOddities& odd = rows.oddities();
        return nb::make_tuple(nb::make_tuple(odd.missing, odd.first_missing),
                              nb::make_tuple(odd.unseen, odd.first_unseen),
                              nb::make_tuple(odd.extreme, odd.first_extreme));
      });
}

}  // namespace probmix::python
