"""Others are told what happens at a match: the events of `webui.match.events`, sent elsewhere."""
