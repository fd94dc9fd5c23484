"""`s2r bench`: arms over one universe with gold, as the eight published views, each figure with its n and an interval."""
