// The library for C++ programs, in one header.
//
//   Frame                read_frame("houses.csv"), or make_frame({{"x", xs}, {"y", ys}})
//   fit_model            a table and what to predict → a Model
//   predict              a Model and a table → the predictive density of every row
//   save_model, load_model
//
// For a network of one's own: the families (make_family), who is paired with whom and what is drawn
// (Graph, Drawer), and the risk of their fused densities with its gradient (Risk). A step is then
//
//   draw = drawer(step, batch);                          // pairs, λ, fused targets
//   out = my_network(rows in play);                      // the family's outputs
//   loss = risk(out, pairs of the draw, draw.targets, gradient in out, scratch);
//
// examples/cpp has both in full. All that can go wrong throws an Error of one line.
#pragma once

#include "probmix/data/frame.hpp"
#include "probmix/family/families.hpp"
#include "probmix/mix/draw.hpp"
#include "probmix/mix/risk.hpp"
#include "probmix/model/fit_model.hpp"
#include "probmix/model/model.hpp"
#include "probmix/model/model_predictor.hpp"
