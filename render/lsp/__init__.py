"""What editors show while cards are written: findings, completions, words about keys and components, levels, fixes."""
