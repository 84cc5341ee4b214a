# Compiles through ccache if it is installed and no launcher is set.
find_program(PROBMIX_CCACHE ccache)
mark_as_advanced(PROBMIX_CCACHE)
if(PROBMIX_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache needs this sloppiness to cache files that use a precompiled header. The other two variables
  # let clones in different folders share cached objects.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_NOHASHDIR=1
      ${PROBMIX_CCACHE})
endif()
if("${CMAKE_CXX_COMPILER_LAUNCHER}" MATCHES "ccache" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fpch-preprocess)
endif()
