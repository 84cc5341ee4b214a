#include "bindings.hpp"

namespace probmix::python {

NB_MODULE(_core, m) {
  bind_errors(m);
  bind_options(m);
  bind_table(m);
  bind_model(m);
  bind_densities(m);
  bind_fit(m);
  bind_mix(m);
  bind_commands(m);
}

}  // namespace probmix::python
