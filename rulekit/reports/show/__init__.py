"""The rules in force, with amendments: each line with its place, and what differs from the base.

Read by `rulekit show` and `rulekit diff`; works on what is written, and knows nothing of types or play.
"""

from rulekit.reports.show.changes import ItemChange, changes
from rulekit.reports.show.items import Shown, shown_items
from rulekit.reports.show.rows import RuleLine

__all__ = ["ItemChange", "RuleLine", "Shown", "changes", "shown_items"]
