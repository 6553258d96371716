"""How well chains of dominoes are joined."""
