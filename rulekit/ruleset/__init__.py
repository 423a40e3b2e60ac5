"""A rule set's facts: data files, their confidence, an owner's overlay, the manifest, the printed rules.

Importing this loads neither the reader of YAML nor jsonschema.
"""

from rulekit.ruleset.confidence import Trust, confidence_summary, on_trust
from rulekit.ruleset.datafile import parse_data_file, read_data_file
from rulekit.ruleset.files import list_names, read_text
from rulekit.ruleset.manifest import Excuse, Listed, Manifest, parse_manifest, read_manifest
from rulekit.ruleset.model import (
    CellValue,
    Confidence,
    DataFile,
    PopulationData,
    RowData,
    TableData,
    ValueData,
)
from rulekit.ruleset.overlay import overlay, overlay_all
from rulekit.ruleset.printed_rules import PrintedRule, PrintedRules, parse_sources, read_sources

__all__ = [
    "CellValue", "Confidence", "DataFile", "Excuse", "Listed", "Manifest", "PopulationData",
    "PrintedRule", "PrintedRules", "RowData", "TableData", "Trust", "ValueData", "confidence_summary",
    "list_names", "on_trust", "overlay", "overlay_all", "parse_data_file", "parse_manifest", "parse_sources",
    "read_data_file", "read_manifest", "read_sources", "read_text",
]  # fmt: skip
