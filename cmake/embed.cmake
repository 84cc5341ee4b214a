# probmix_embed(target symbol file [symbol file ...]) puts files into a target as they are, all in
# one object: the bytes of a file are what `namespace probmix::embedded { std::string_view symbol(); }`
# returns, to be declared where it is used. A file may be one that the build makes. For gcc and clang
# with ELF.
function(probmix_embed target)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded.cpp)
  set(text "// Made by probmix_embed from cmake/embedded.cpp.in.\n#include <string_view>\n")
  set(files)
  file(READ ${PROJECT_SOURCE_DIR}/cmake/embedded.cpp.in template)
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest EMBED_SYMBOL EMBED_FILE)
    get_filename_component(EMBED_FILE "${EMBED_FILE}" ABSOLUTE)
    list(APPEND files "${EMBED_FILE}")
    string(CONFIGURE "${template}" one @ONLY)
    string(APPEND text "${one}")
  endwhile()
  file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)  # keeps the time of an unchanged file
  set_source_files_properties(${source} PROPERTIES
    OBJECT_DEPENDS "${files}"  # the compiler does not report what the assembler includes
    SKIP_PRECOMPILE_HEADERS ON
    SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${source})
endfunction()
