"""The best mixes: the weight of each strategy, its certainty, and its wins against the other side's mix."""

from simkit.reporting.pages import Findings, Section, Show, prose, table

MIXES_TEXT = prose("""A strategy outside a mix may be nearly as good as one in it: the columns say what it
    wins against the best mix of the other side, and in how many resampled halves of the deals it was
    chosen.""")
AGAINST_MIX = "its own share against the best mix of the other side; empty: stopped early, surely worse"
MIX_HEADS = {
    "weight": Show("in the best mix", "{:.0%}", "part of the games in which it is chosen"),
    "often": Show("chosen", "{:.0%}", "part of resampled halves of the deals in whose best mix it is"),
    "against": Show("wins against the other's mix", "{:.1%}", AGAINST_MIX),
}


def equilibrium_mixes(findings: Findings) -> Section:
    """Return the mixes of all settings."""
    mixes = findings.equilibrium_mixes
    setting = "setting" if mixes["setting"].n_unique() > 1 else ""
    names = f"{setting} seat strategy weight often against"
    listed = table(findings, mixes, names, "The best mixes", seat="chosen by the", **MIX_HEADS)
    return Section("Who is chosen how often", [MIXES_TEXT], tables=[listed])
