"""Rules as they stand with what amends them: each line with its place, and what is other than without.

Read by `rulekit show` and `rulekit diff`; works on what is written, and knows nothing of types or play.
"""

from rulekit.reports.show.changes import ItemChange, changes
from rulekit.reports.show.items import Shown, shown_items
from rulekit.reports.show.rows import RuleLine

__all__ = ["ItemChange", "RuleLine", "Shown", "changes", "shown_items"]
