"""Attributes of `Findings` that functions add to it; written by `make stubs`."""

from typing import Any

import polars as pl

class TableNames:
    @property
    def ablation(self) -> pl.DataFrame:
        """Per cell, measure and component: effect of changing the component; only for runs with `ablate`."""

    @property
    def ablation_owners(self) -> pl.DataFrame:
        """Per cell and component: effect of the change on the seat to which it falls, and win rate of owners."""

    @property
    def alone_again(self) -> pl.DataFrame:
        """Per lineup, measure and strongest option of a screen: effect alone on fresh deals, all others as usual."""

    @property
    def answered(self) -> pl.DataFrame:
        """Per lineup: the cells of the baseline, else the cell farthest from fair, the farthest first."""

    @property
    def beginners(self) -> pl.DataFrame:
        """Per number of seats and error rate of one player (errs): the share that this player wins."""

    @property
    def cells(self) -> pl.DataFrame:
        """Per cell: varied options, setting, lineup, deals; balanced: every strategy sat in every seat."""

    @property
    def checked_settings(self) -> pl.DataFrame:
        """Per setting checked on fresh deals by a search for rules: `loss`, and counts of wishes by verdict."""

    @property
    def comparisons(self) -> pl.DataFrame:
        """Per rule set and lineup: paired comparison with the baseline on common deals; empty without a baseline."""

    @property
    def component_shares(self) -> pl.DataFrame:
        """Per cell to look at, column of `components` and seat: share of the games won with much and with little."""

    @property
    def components(self) -> pl.DataFrame:
        """Per cell to look at and column of the seats table: association with winning, most certain first."""

    @property
    def confirmed(self) -> pl.DataFrame:
        """Per setting and lineup of the check on fresh deals: share of seat 0 (the team), interval, verdict."""

    @property
    def contributions(self) -> pl.DataFrame:
        """Per cell to look at, seat and column that the game names: the seat's part of the total of all seats."""

    @property
    def cycles(self) -> pl.DataFrame:
        """Per setting: three strategies of which each beats the next and the last the first, strongest first."""

    @property
    def deal_luck(self) -> pl.DataFrame:
        """Per cell with several plays per deal: how far the deal decides the result (intraclass correlation)."""

    @property
    def deals_to_settle(self) -> pl.DataFrame:
        """Per NOT SETTLED cell: deals played, and roughly how many would settle it if all shares stay the same."""

    @property
    def decided_at(self) -> pl.DataFrame:
        """Per cell: mean progress at which the winner takes the lead for good (`decided` of `traced_games`)."""

    @property
    def dials(self) -> pl.DataFrame:
        """Per lineup, measure and option of a screen: effect with interval, and a verdict on whether it matters."""

    @property
    def draws(self) -> pl.DataFrame:
        """Per cell: share of games with a shared win."""

    @property
    def end_reasons(self) -> pl.DataFrame:
        """Per cell and end reason that occurred in the run: games (of the cell), deals, share, low, high."""

    @property
    def end_winners(self) -> pl.DataFrame:
        """Per cell, end reason and winning seat (-1: no single winner): their share of all games, low, high."""

    @property
    def equilibrium(self) -> pl.DataFrame:
        """Per setting: value for the first player if both choose their strategies best, with 95 % interval."""

    @property
    def equilibrium_matrix(self) -> pl.DataFrame:
        """Per setting, strategy of the first player (`row`) and of the second (`column`): share of the first."""

    @property
    def equilibrium_mixes(self) -> pl.DataFrame:
        """Per setting, seat and strategy: weight in the best mix of all deals, the greatest first."""

    @property
    def fair_checks(self) -> pl.DataFrame:
        """Per cell at the best whole numbers of a lineup: `first_player_advantage` on fresh deals."""

    @property
    def fair_curve(self) -> pl.DataFrame:
        """Per option of a search and seat: fitted share at places `x`, and its 95 % band if available."""

    @property
    def fair_points(self) -> pl.DataFrame:
        """Per setting and interim analysis of a search: share of each seat (of a team), with 95 % interval."""

    @property
    def fair_values(self) -> pl.DataFrame:
        """Per lineup (all combined last) and option of a search: the fair value and the best whole number."""

    @property
    def fault_kinds(self) -> pl.DataFrame:
        """Per fault: `faults` of all cells combined, the most frequent first."""

    @property
    def faults(self) -> pl.DataFrame:
        """Per cell and fault: number of failed games, and play, deal, seat and FILE:LINE of the first."""

    @property
    def favourites(self) -> pl.DataFrame:
        """Per setting and number of seats: how often the stronger of two strategies finishes ahead (ties: half)."""

    @property
    def first_movers(self) -> pl.DataFrame:
        """Per cell: fraction of games in which seat 0 did not move first (`moved`), and first movers' share."""

    @property
    def first_player_advantage(self) -> pl.DataFrame:
        """Per cell: share of seat 0, its advantage, and the verdict on all seats against the margin."""

    @property
    def interesting_games(self) -> pl.DataFrame:
        """Per cell to look at: a typical and the wildest game, chosen reproducibly."""

    @property
    def kingmaking(self) -> pl.DataFrame:
        """Per cell of three or more seats and role: effect of late choices; empty unless the run measured it."""

    @property
    def ladder(self) -> pl.DataFrame:
        """Per setting and number of seats: number of 60:40 steps between the worst and the best strategy."""

    @property
    def landscape(self) -> pl.DataFrame:
        """Per setting and strategy of two-seat games: Nash weight (greatest first), dominance and related scores."""

    @property
    def lead_changes(self) -> pl.DataFrame:
        """Per cell: mean lead changes per game; none...: share of games without a change."""

    @property
    def learned_matches(self) -> pl.DataFrame:
        """Per learned player of a training and opponent on fresh deals: share, interval, and the fair share."""

    @property
    def learning_curve(self) -> pl.DataFrame:
        """Per player of a training and look: games so far, share against the best scripted player, interval."""

    @property
    def length_bars(self) -> pl.DataFrame:
        """Per cell: share of the games with `low` up to below `high` turns, in bars of equal integer width."""

    @property
    def lengths(self) -> pl.DataFrame:
        """Per cell and measure (turns, decisions): mean, low, high (95 %), sd, p5, p50, p95, games."""

    @property
    def lineups_apart(self) -> pl.DataFrame:
        """Per setting that is closest to fair for a lineup: whether lineups differ beyond luck, deal by deal."""

    @property
    def load(self) -> pl.DataFrame:
        """Per cell: decision load and waiting times; empty without a trace that counts decisions."""

    @property
    def losses(self) -> pl.DataFrame:
        """Per cell of a team and end reason of lost games: number of lost games, and share of all lost games."""

    @property
    def luck_parts(self) -> pl.DataFrame:
        """Per cell to look at and kind of luck: part of the variance of the result; empty without a luck study."""

    @property
    def match(self) -> pl.DataFrame:
        """Per match: score of `strategy` against `opponent`, Elo difference, and the decision of the test."""

    @property
    def match_looks(self) -> pl.DataFrame:
        """Per interim analysis of a match with a test: deals, games, score so far, LLR and its bounds."""

    @property
    def match_results(self) -> pl.DataFrame:
        """Per score of a deal in a match: deals; for two seats pentanomial counts (shared wins rounded)."""

    @property
    def match_seats(self) -> pl.DataFrame:
        """Per strategy and seat of a match: share won there, alone among copies of the opponent; intervals."""

    @property
    def matchups(self) -> pl.DataFrame:
        """Per setting and pair: whether the strategy beats its opponent, loses to it, or neither is settled."""

    @property
    def meetings(self) -> pl.DataFrame:
        """Per setting, number of seats and strategy: a row for each opponent met at a table."""

    @property
    def members(self) -> pl.DataFrame:
        """Per cell to look at, column of names and name: win share of the teams that include it, best first."""

    @property
    def minutes(self) -> pl.DataFrame:
        """Per cell: minutes per game at `seconds` per decision (key seconds_per_decision); empty without the key."""

    @property
    def mirrors(self) -> pl.DataFrame:
        """Per cell with one strategy in every seat: `first_player_advantage`, the strongest strategy first."""

    @property
    def mixed_teams(self) -> pl.DataFrame:
        """Per setting, number of seats and two strategies: win share by number of seats of the second."""

    @property
    def nearest(self) -> pl.DataFrame:
        """Per lineup: `first_player_advantage` at the setting where all seats are closest to their fair share."""

    @property
    def one_step(self) -> pl.DataFrame:
        """Per comparison one step of one option away from the baseline: its rows, with `axis` and `step`."""

    @property
    def outcomes(self) -> pl.DataFrame:
        """Per cell of a team, own column of names in the games table and name: games, share, low, high."""

    @property
    def ownership(self) -> pl.DataFrame:
        """Per cell and kind of thing: number sold per game, price and printed cost, win share of owners."""

    @property
    def piece_kinds(self) -> pl.DataFrame:
        """Per cell to look at and kind of piece (`kind` colour, `of` blue): `pieces` for all pieces of the kind."""

    @property
    def pieces(self) -> pl.DataFrame:
        """Per cell to look at and named component: how often it is available, taken and played, and share won."""

    @property
    def playtest_fits(self) -> pl.DataFrame:
        """Per simulated player: how well it predicts the games of people, the best first."""

    @property
    def playtest_seats(self) -> pl.DataFrame:
        """Per cell and seat (of a team: the first): people's share of the win at its setting, and simulated."""

    @property
    def playtests(self) -> pl.DataFrame:
        """Per game that people played and seat: what their sheet says. Null: not noted."""

    @property
    def predictability(self) -> pl.DataFrame:
        """Per cell and tenth of the game: share of games that the current leader goes on to win."""

    @property
    def ranking(self) -> pl.DataFrame:
        """Per setting, number of seats and strategy: share over all lineups with other strategies, best first."""

    @property
    def ratings(self) -> pl.DataFrame:
        """Per setting and number of seats: Elo of each strategy, best first, and of each seat relative to seat 0."""

    @property
    def restricted(self) -> pl.DataFrame:
        """Per cell of three or more seats in which one seat has other weights: its share against the fair share."""

    @property
    def role_pairs(self) -> pl.DataFrame:
        """Per cell to look at, column and two roles at a table: what the first wins beyond what strengths say."""

    @property
    def role_seats(self) -> pl.DataFrame:
        """Per cell to look at, column, role and seat: what the role wins there beyond what it wins elsewhere."""

    @property
    def roles(self) -> pl.DataFrame:
        """Per cell, column of roles and role: what seats with it win above their fair share."""

    @property
    def rule_sets(self) -> pl.DataFrame:
        """Per rule set that all lineups played: the columns of `settings`, the best rule set first."""

    @property
    def rules_nearer(self) -> pl.DataFrame:
        """Per lineup and pair of rule sets: test on common deals of which one is closer to fair."""

    @property
    def runaway(self) -> pl.DataFrame:
        """Per cell: slope of later leads on present ones (whether being ahead helps to get further ahead)."""

    @property
    def rung_answers(self) -> pl.DataFrame:
        """Per rung, setting and seat (of a team, one row): share with interval, verdict, length, lead changes."""

    @property
    def rung_matrix(self) -> pl.DataFrame:
        """Per ordered pair of rungs of a ladder that met: what `row` wins alone against a table of `column`."""

    @property
    def rung_seat_effects(self) -> pl.DataFrame:
        """Per pair of rungs of a ladder that met, and seat: what it is worth to `row` at a table of `column`."""

    @property
    def rungs(self) -> pl.DataFrame:
        """Per rung of a ladder, the weakest first: strength, cost, and the value at which its shares are fair."""

    @property
    def same_players(self) -> pl.DataFrame:
        """Per setting and number of seats: pairs of strategies whose games on every deal are identical."""

    @property
    def scores(self) -> pl.DataFrame:
        """Per cell and seat: mean score with its interval, and standard deviation over games."""

    @property
    def seat_effects(self) -> pl.DataFrame:
        """Per pair of levels of skill and seat: what the seat is worth to `row` against a table of `column`."""

    @property
    def seat_shares(self) -> pl.DataFrame:
        """Per cell and seat: games, deals, share with intervals, and the evidence for and against fairness."""

    @property
    def seat_spread(self) -> pl.DataFrame:
        """Per cell: spread of the seat shares (`simkit.stats.spread`), over deals."""

    @property
    def seats_by_side(self) -> pl.DataFrame:
        """Per cell, side and seat: games of the seat on that side, and how often the side wins them."""

    @property
    def settings(self) -> pl.DataFrame:
        """Per setting that all lineups played: distance from fair of the worst lineup, closest to fair first."""

    @property
    def skill_matrix(self) -> pl.DataFrame:
        """Per ordered pair of levels of skill: what `row` wins alone against a table of `column`."""

    @property
    def sobol_indices(self) -> pl.DataFrame:
        """Per strongest option of a screen: Sobol indices, first order and total, with 95 % intervals."""

    @property
    def strategy_shares(self) -> pl.DataFrame:
        """Per cell of several strategies, and strategy: games, deals, share, low, high over its seats."""

    @property
    def stronger_pieces(self) -> pl.DataFrame:
        """Per cell with other files than the baseline and component: worth of having it before and now."""

    @property
    def table_changes(self) -> pl.DataFrame:
        """Per row added, removed or changed by a table file: the difference from the table of the baseline."""

    @property
    def team_strategies(self) -> pl.DataFrame:
        """Per setting, number of seats and strategy in every seat of a team: win share, best first."""

    @property
    def telling_columns(self) -> pl.DataFrame:
        """Per column (`column`) left out of `components`: columns that are consequences of winning, not causes."""

    @property
    def together(self) -> pl.DataFrame:
        """Per lineup, measure and one or two (`with`) of a screen's strongest options: effects on fresh deals."""

    @property
    def trials(self) -> pl.DataFrame:
        """Per candidate of a tuning, the defaults first: gain over them on the deals of the search, and interval."""

    @property
    def tried_settings(self) -> pl.DataFrame:
        """Per setting tried in a search for rules, in order: loss and shortfalls on the deals of the search."""

    @property
    def tuned(self) -> pl.DataFrame:
        """Per opponent of a tuned strategy on fresh deals: its share, that of the defaults, and the gain."""

    @property
    def win_matrix(self) -> pl.DataFrame:
        """Per setting and pair in two seats: share of the row strategy; balanced: equally often in each seat."""

    @property
    def wishes(self) -> pl.DataFrame:
        """Per setting, lineup and goal of a search for rules: whether the goal is met on fresh deals."""

    @property
    def yardsticks(self) -> pl.DataFrame:
        """Per measure of the first cell to look at: its value, and the range of the other games."""

    @property
    def value(self) -> Any:
        """The fair value that `fair` found, by option if several vary; None where there is none."""
