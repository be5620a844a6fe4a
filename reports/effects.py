"""The effects page: game length and wins along the options varied, above the rest of the sweep page."""

from .sweep import recipe as sweep

brief = """effects next_steps
    What else changes: changes
    Deal by deal: deal_by_deal"""
chapters = sweep.sections.replace("What else changes: tornado changes", "Which option matters: tornado")
recipe = sweep._replace(sections=chapters).with_brief("what the options change", brief)
