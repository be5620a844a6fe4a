"""Rows that every traced game writes: one per turn and seat, one per event of a piece."""

import enum

from simkit.engine.fields import Field, scalar

# Turns: the key of a row in a run, and the fields of every game's rows.
TURN_KEY = ("play", "cell", "deal", "rotation")
TURN_FIELDS = [
    scalar("game", "i4", "Game of the batch"),
    scalar("turn", "i4", "Turn that has ended, 1-based"),
    scalar("seat", "i1", "Seat, 0-based in the order of play"),
    scalar("score", "i4", "Score of the seat at the end of the turn, points"),
    scalar("decisions", "i4", "Decisions of the seat in the turn, with more than one legal action"),
    scalar("choices", "i4", "Legal actions at these decisions, added up"),
    scalar("most_choices", "i4", "Most legal actions at one of these decisions"),
    scalar("steps", "i4", "Actions of the seat in the turn, forced ones too"),
]

# Events of a piece; `given`: a seat received it without a choice; `kept`, `unsold`: at the end of the game.
Event = enum.IntEnum("Event", "offered taken given played kept unsold", start=0)
PIECE_FIELDS = [
    scalar("game", "i4", "Game of the batch"),
    scalar("piece", "i2", "Piece"),
    scalar("event", Event, "What happened to the piece"),
    Field("seat", "i1", (), "Seat to which it happened, null = to none", never=-1),
    scalar("turn", "i4", "Turn in which it happened, or began, 1-based; 0 = in the setup"),
    scalar("last", "i4", "Turn in which it ended"),
    scalar("copies", "i4", "Copies of the piece"),
]
