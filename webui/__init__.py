"""The pages, the JSON interface, the log and the command: eyes and rules at one table.

Nothing is imported here: `pipsight read` must not wait for a web server's modules. The app is made
by `webui.app.create_app`.
"""
