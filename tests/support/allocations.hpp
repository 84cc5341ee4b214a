// Counts the calls of operator new in this thread.
#pragma once

namespace probmix::test {

long allocations();

}  // namespace probmix::test
