# Compiles through ccache where it is installed and nobody has chosen a launcher.
find_program(PROBMIX_CCACHE ccache)
mark_as_advanced(PROBMIX_CCACHE)
if(PROBMIX_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this sloppiness ccache would cache no file that uses a precompiled header; the others let
  # clones in different folders share what does not depend on the folder.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_NOHASHDIR=1
      ${PROBMIX_CCACHE})
endif()
if("${CMAKE_CXX_COMPILER_LAUNCHER}" MATCHES "ccache" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fpch-preprocess)
endif()
