"""The games of simkit in PettingZoo and OpenSpiel: `pip install 'simkit-tabletop[pettingzoo,open_spiel]'`."""
