# probmix_embed(target symbol file [symbol file ...]) embeds files in a target unchanged, all in one
# object. `namespace probmix::embedded { std::string_view symbol(); }` returns the bytes of a file;
# declare it where it is used. The build may generate the files. For gcc and clang with ELF.
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
  file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)  # keeps an unchanged file's timestamp
  set_source_files_properties(${source} PROPERTIES
    OBJECT_DEPENDS "${files}"  # the compiler does not report what the assembler includes
    SKIP_PRECOMPILE_HEADERS ON
    SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${source})
endfunction()
