// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/plugin-abi.h"

/** What a plugin's file is searched for before any of its code runs; the id stands behind it. */
#define RDMASIM_PLUGIN_MARK "rdmasim plugin of "

/**
 * Stands once in a plugin, outside of all namespaces: says which program it was built for.
 *
 * A plugin is a shared library with classes that register themselves by NS_OBJECT_ENSURE_REGISTERED
 * as those of the model do. cmake/rdmasim-config.cmake.in builds one, examples/plugin is one.
 */
#define RDMASIM_PLUGIN()                                                                           \
    extern "C" __attribute__((used, visibility("default"))) const char rdmasim_plugin[] =          \
        RDMASIM_PLUGIN_MARK RDMASIM_PLUGIN_ABI
