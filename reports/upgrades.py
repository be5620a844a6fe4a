"""The upgrades page: prices and owners of upgrades, above the rest of the balance page."""

from .balance import recipe as balance

recipe = balance.with_brief("upgrades report", "worth next_steps\nPrices and owners: upgrades")
