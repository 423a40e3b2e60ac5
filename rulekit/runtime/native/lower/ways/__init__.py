"""Ways from member to member, found when they are asked for."""
