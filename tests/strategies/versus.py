"""Games between strategies as written, their shares with an interval, and the decisions in them."""

import numpy as np

from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.rule_helpers import OVER
from simkit.engine.table import GameTable


def lineup(game, text, **own):
    """Return the players of a lineup as written; `own` are strategies that no registry knows."""
    named_players = parse_lineup(text)
    return [_player(game, named, len(named_players), own) for named in named_players]


def _player(game, named, seats, own):
    if named.name in own:
        return own[named.name].player(game, named.weights)
    policy = own.get(named.weights.get("policy"))
    if policy is None:
        return registry.player(game, named, seats)
    return registry.strategy(game, named.name).player(game, named.weights, policy.player(game))


def shares(game, text, deals, seed=3, options=None, **own):
    """Return the share of the first strategy on each deal, over all rotations."""
    players, table = lineup(game, text, **own), GameTable(game, game.rules(options or {}))
    seats = len(players)
    shifts = np.tile(np.arange(seats), deals)
    states = table.play(players, seed, np.repeat(np.arange(deals), seats), shifts)
    won = states["rank"][:, :seats] == 1
    own_share = won[np.arange(shifts.size), -shifts % seats] / np.maximum(1, won.sum(axis=1))
    return own_share.reshape(deals, seats).mean(axis=1)


def interval(shares_of_deals):
    """Return the 95 % interval of a share over deals."""
    margin = 1.96 * shares_of_deals.std(ddof=1) / np.sqrt(shares_of_deals.size)
    return shares_of_deals.mean() - margin, shares_of_deals.mean() + margin


def decisions(game, text, deals, shift=0, seed=3, **own):
    """Yield state, rules and action of each decision of the first strategy, by replaying its games."""
    players, table = lineup(game, text, **own), GameTable(game, game.rules())
    seat = -shift % len(players)
    for deal in range(deals):
        trail = np.full(game.max_steps, -1, np.int64)
        table.play(players, seed, np.array([deal]), np.array([shift]), trail)
        s, luck = np.zeros(1, game.state_dtype)[0], table.open_luck(seed, deal)
        s.seats = len(players)
        game.setup(s, table.rules[0], luck)
        for action in trail.tolist():
            if s.seat == OVER:
                break
            if s.seat == seat and game.legal(s, table.rules[0], table.ids) > 1:
                yield s.copy(), table.rules[0], action
            game.step(s, table.rules[0], action, luck)
