"""The parts of `rulekit check`: what is asked, what is fixed, what is shown."""
