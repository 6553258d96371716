"""Feeds of a match's events (`webui.match.events`) to other programs: webhooks and MQTT."""
