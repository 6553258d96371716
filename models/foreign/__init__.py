"""Tables as another renderer shows them: Mitsuba, meshes and tops of their own.

Nothing here is shared with `models.sketch`, from whose pictures the networks learn, and nothing
learns from these: they tell how far the eyes know pieces rather than pictures.
"""
