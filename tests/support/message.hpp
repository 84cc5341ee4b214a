// What an error says.
#pragma once

#include <string>
#include <typeinfo>

#include "probmix/base/error.hpp"

namespace probmix::test {

// The message of the exception of exactly the expected type, or what happened instead.
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
