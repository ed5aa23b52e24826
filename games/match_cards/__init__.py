"""The match card: entered, checked against the rules, agreed by both sides, chased."""
