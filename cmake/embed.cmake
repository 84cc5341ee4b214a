# probmix_embed(target symbol file) puts a file into a target as it is: its bytes are what
# `namespace probmix::embedded { std::string_view symbol(); }` returns, to be declared where it is
# used. The file may be one that the build makes. For gcc and clang with ELF.
function(probmix_embed target symbol file)
  get_filename_component(EMBED_FILE "${file}" ABSOLUTE)
  set(EMBED_SYMBOL ${symbol})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded/${symbol}.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded.cpp.in ${source} @ONLY)
  # The compiler does not report what the assembler includes.
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${EMBED_FILE}")
  target_sources(${target} PRIVATE ${source})
endfunction()
