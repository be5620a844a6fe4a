#!/bin/sh
# Trains the learned players that come with simkit, 5 to 15 minutes each on one core. The same command gives
# the same file, and replaces the one that is there.
set -e
simkit learn outpost_seven --vary start_total_second=12:24 --teacher self --games 300000 --seed 1
simkit learn outpost_seven --vary start_total_second=12:24 --teacher self --seed 2 --name best_2
simkit learn outpost_seven --vary start_total_second=12:24 --seed 3 --name best_3
simkit learn red_outpost --players 2 --vary blocking=default/random --teacher self --seed 1
simkit learn red_outpost --players 3 --vary blocking=default/random --teacher self --seed 1
simkit learn red_outpost --players 4 --vary blocking=default/random --teacher self --seed 1
simkit learn exoplanet_colony --players 3 --set scenario=4 --teacher improve --games 320000 --seed 1
simkit learn outpost --players 2 --vary ruleset=basic/expert --teacher improve --games 8000 --seed 1
simkit learn outpost --players 4 --teacher improve --games 8000 --seed 1
simkit learn lunar_outpost --players 2 --teacher improve --games 8000 --seed 1
simkit learn lunar_outpost --players 3 --teacher improve --games 8000 --seed 1
