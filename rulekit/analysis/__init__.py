"""What can be found out about a compiled rule set: findings, proofs, claims, played games, mutants."""
