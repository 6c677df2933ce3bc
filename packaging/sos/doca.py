# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
"""Plug-in of sos(1): what an administrator sends along with a question about Open DOCA.

Copy it to sos' own plug-ins, /usr/lib/python3/dist-packages/sos/report/plugins with Debian.
"""

from sos.report.plugins import Plugin, IndependentPlugin


class Doca(Plugin, IndependentPlugin):

    short_desc = 'Open DOCA: driver, devices, and what users have'

    plugin_name = 'doca'
    profiles = ('hardware', 'network')
    packages = ('open-doca-tools', 'open-doca-dkms')
    kernel_mods = ('doca',)

    def setup(self):
        self.add_copy_spec([
            '/sys/module/doca/parameters',
            '/sys/module/doca/version',
            '/usr/lib/udev/rules.d/60-doca.rules',
        ])
        # Memory and mappings are left out: they tell addresses of other people's programs.
        self.add_cmd_output([
            'docactl --version',
            'docactl summary',
            'docactl user',
            'docactl device',
            'docactl pair',
            'docactl engine',
            'docactl file',
            'docactl worker',
            'docactl queue',
            'docactl comch',
            'docactl connection',
            'docactl metrics',
            'doca_caps --drivers',
            'doca_caps --list-libs',
            'doca_caps --list-devs',
            'doca_caps --list-rep-devs',
        ])
