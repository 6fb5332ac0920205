# SPDX-License-Identifier: GPL-2.0-only
# Writes what the library that stands in for another exports: all that the other does, by the same
# versions. A call jumps through a slot, which the library fills when it is loaded.
#
#   cmake -DREADELF=<tool> -DLIBRARY=<file> -DSOURCE=<C++ file> -DMAP=<version script>
#         -P stand-in-symbols.cmake
execute_process(COMMAND ${READELF} -W --dyn-syms ${LIBRARY} OUTPUT_VARIABLE listing
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" lines "${listing}")
set(source "// SPDX-License-Identifier: GPL-2.0-only
// Made by cmake/stand-in-symbols.cmake from ${LIBRARY}.
#include \"live/stand-in.h\"

")
set(table "")
set(nodes "")
set(count 0)
foreach(line ${lines})
  if(NOT line MATCHES
     ": [0-9a-f]+ +([0-9]+) (FUNC|OBJECT) +(GLOBAL|WEAK) +DEFAULT +[0-9]+ ([A-Za-z0-9_]+)(@@?)([A-Za-z0-9_.]+)")
    continue()
  endif()
  set(bytes ${CMAKE_MATCH_1})
  set(type ${CMAKE_MATCH_2})
  set(name ${CMAKE_MATCH_4})
  set(at ${CMAKE_MATCH_5})
  set(version ${CMAKE_MATCH_6})
  list(APPEND nodes ${version})
  string(APPEND names_${version} " ${name};")
  if(type STREQUAL "OBJECT")
    string(APPEND source "RDMASIM_STAND_IN_OBJECT(${count}, \"${name}${at}${version}\", ${bytes});\n")
  else()
    string(APPEND source "RDMASIM_STAND_IN_FUNCTION(${count}, \"${name}${at}${version}\");\n")
  endif()
  set(default false)
  if(at STREQUAL "@@")
    set(default true)
  endif()
  set(function true)
  if(type STREQUAL "OBJECT")
    set(function false)
  endif()
  string(APPEND table "    {\"${name}\", \"${version}\", ${default}, ${function}},\n")
  math(EXPR count "${count} + 1")
endforeach()
if(count EQUAL 0)
  message(FATAL_ERROR "${LIBRARY}: no versioned symbols")
endif()
string(APPEND source "
namespace ns3::rdma
{

const StandInSymbol STAND_IN_SYMBOLS[] = {
${table}};
const unsigned STAND_IN_COUNT = ${count};
const char* const STAND_IN_LIBRARY = \"${LIBRARY}\";

} // namespace ns3::rdma

/** Where each call goes on. */
extern \"C\"
{
__attribute__((visibility(\"hidden\"))) void* rdmasim_stand_in_slots[${count}];
}
")
list(REMOVE_DUPLICATES nodes)
list(SORT nodes COMPARE NATURAL)
set(map "/* SPDX-License-Identifier: GPL-2.0-only */\n")
set(before "")
foreach(node ${nodes})
  if(before STREQUAL "")
    string(APPEND map "${node} {\n  global: rdmasim_stand_in_find;${names_${node}}\n  local: *;\n};\n")
  else()
    string(APPEND map "${node} {\n  global:${names_${node}}\n} ${before};\n")
  endif()
  set(before ${node})
endforeach()
file(WRITE ${SOURCE} "${source}")
file(WRITE ${MAP} "${map}")
