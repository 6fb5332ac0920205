# SPDX-License-Identifier: GPL-2.0-only
# Writes the commit of the tree SOURCE into the header OUTPUT, which is touched only when it changes:
# cmake -DSOURCE=<folder> -DOUTPUT=<file> -P commit.cmake
set(commit "unknown")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=12
                  OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(found)
    set(commit ${found})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define RDMASIM_COMMIT \"@commit@\"\n" @ONLY)
