"""From matches and rules to what is answered: for phones, and for the pages."""
