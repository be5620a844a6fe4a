"""A player of Red Outpost that gathers disks on few workers (RO-15.5)."""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight
from simkit.games.red_outpost.scoring import influence, mood_worth, palace_points

from .oneply import one_ply
from .player import player
from .values import PALACE, Measure, best_rival, bonus, goods

PARTS = 10  # V' is computed in tenths, so that it stays whole
AHEAD, ONE_AHEAD, TIED, ONE_BEHIND = (
    60,
    54,
    36,
    12,
)  # weight of a point of a mood by the lead in disks, tenths


@rule
def baron_goods(s, rules, seat, mind, w):
    """Return the goods, with the Palace only in the last round, so that nothing is donated before."""
    worth = goods(s, rules, seat, mind, w)
    if s.round_no < rules.rounds - 1:
        worth -= PALACE * int(palace_points(s, rules, seat))
    return PARTS * worth


@rule
def likely_share(s, own, rival):
    """Return what a point of a mood counts: the surer the lead, the more."""
    lead = own - rival
    if lead >= 1:
        return AHEAD if lead > 1 else ONE_AHEAD
    if lead == 0 and own > 0:
        return TIED
    return ONE_BEHIND if lead == -1 else 0


@rule
def baron_bonus(view, rules, worker, location, mind, w):
    """Return the bonus, higher if the disk decides the lead of a worker in no bad mood."""
    worth = bonus(view, rules, worker, location, mind, w)
    lead = influence(view, view.seat, worker) - best_rival(view, view.seat, worker)
    decides = view.reserve[view.seat] > 0 and -1 <= lead <= 1 and mood_worth(view, rules, worker) >= 0
    return PARTS * (worth + w.focus if decides else worth)


BARON = Measure(goods=baron_goods, share=likely_share, bonus=baron_bonus)
decides = rule(one_ply(BARON))


@player(focus=Weight(3, 0, 40, "Worth of a disk that makes or breaks a lead, quarters of a VP"))
def mood_baron(view, rules, legal, w, scratch, work):
    """Gather disks where they decide about the lead of happy workers (RO-15.5)."""
    return decides(view, rules, legal, w, scratch, work)
