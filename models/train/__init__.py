"""Train Pipsight's own networks: `detector` and `face_classifier`.

Never needed to run or to test.
"""
