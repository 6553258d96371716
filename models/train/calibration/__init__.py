"""How far networks can be believed: doubt fitted to photos held back, and the card that says so."""
