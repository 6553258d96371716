"""Videos of throws with truth: rigid bodies, hands, a camera that sways."""
