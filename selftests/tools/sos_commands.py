#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Print the commands of the plug-in of sos, a line each: it is run as sos would, which need not be
installed."""
import importlib.util
import os
import sys
import types

PLUGIN = os.path.join(os.path.dirname(os.path.realpath(__file__)), '../../packaging/sos/doca.py')


class Plugin:
    def __init__(self):
        self.commands = []

    def add_copy_spec(self, paths):
        assert paths and all(path.startswith('/') for path in paths)

    def add_cmd_output(self, commands):
        self.commands += commands


class IndependentPlugin:
    pass


def load():
    for name in 'sos', 'sos.report', 'sos.report.plugins':
        sys.modules[name] = types.ModuleType(name)
    sys.modules['sos.report.plugins'].Plugin = Plugin
    sys.modules['sos.report.plugins'].IndependentPlugin = IndependentPlugin
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location('doca', PLUGIN)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Doca()


if __name__ == '__main__':
    plugin = load()
    assert plugin.plugin_name == 'doca' and plugin.packages and plugin.short_desc
    plugin.setup()
    print('\n'.join(plugin.commands))
