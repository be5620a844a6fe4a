"""Words that games and pages share."""


def counted(many: int, name: str, more: str = "") -> str:
    """A number of things; `more`: what several are called, where that is not the name with an s.

    >>> counted(1, "setting"), counted(1200, "game"), counted(2, "robot colony", "robot colonies")
    ('1 setting', '1,200 games', '2 robot colonies')
    """
    return f"{many:,} {name if many == 1 else more or name + 's'}"
