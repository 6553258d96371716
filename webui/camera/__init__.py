"""Cameras that watch a match: frames in, counted rolls and questions out."""
