"""The games of simkit in the libraries of other projects.

`simkit.interop.pettingzoo` makes environments for multi-agent learning, `simkit.interop.open_spiel` games for
the algorithms of OpenSpiel. Each needs an extra of its name: `pip install 'simkit-tabletop[pettingzoo]'`.
"""
