# SPDX-License-Identifier: GPL-2.0-only
# Writes a header with RDMASIM_PLUGIN_ABI: what program and plugin must have in common.
#
#   cmake -DOUTPUT=<header> -DROOT=<source tree> -DBUILD=<compiler, ns-3, assertions> -P plugin-abi.cmake
#
# @choice all headers, because a plugin may include any of them; a changed comment changes the id,
# too, which costs a plugin a build and never an error that is hard to find
file(GLOB_RECURSE headers ${ROOT}/model/*.h)
list(SORT headers)
set(sums "${BUILD}")
foreach(header ${headers})
  file(SHA256 ${header} sum)
  file(RELATIVE_PATH name ${ROOT} ${header})
  string(APPEND sums "\n${name} ${sum}")
endforeach()
string(SHA256 id "${sums}")
string(SUBSTRING ${id} 0 16 id)
set(text "// SPDX-License-Identifier: GPL-2.0-only
#pragma once

/** Made by cmake/plugin-abi.cmake from all headers of the model, the compiler and ns-3. */
#define RDMASIM_PLUGIN_ABI \"${id}\"
")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
