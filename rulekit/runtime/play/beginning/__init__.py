"""Where sessions begin: given states, dice and draws, and steps inside the sequence."""
