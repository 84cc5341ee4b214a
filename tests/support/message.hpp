// The message of an error.
#pragma once

#include <string>
#include <typeinfo>

#include "probmix/base/error.hpp"

namespace probmix::test {

// The message if exactly this type of exception is thrown, otherwise what happened instead.
template <class Expected, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return typeid(error) == typeid(Expected) ? error.what() : "another type of error";
  }
  return "no error";
}

}  // namespace probmix::test
