"""What our results look like in the formats of others."""
