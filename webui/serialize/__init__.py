"""From matches and rules to what is answered (`webui.answers`): for phones, and for the pages."""
