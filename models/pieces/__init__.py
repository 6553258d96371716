"""Dice and dominoes as such: their colours, where pips lie, how a set of them is made."""
