"""Pipsight without a server: the app runs inside the browser (Pyodide, in a worker)."""
