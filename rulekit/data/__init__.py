"""A rule set's facts: data files, their confidence, an owner's overlay, the manifest, the printed rules.

Importing this loads neither the reader of YAML nor jsonschema.
"""

from rulekit.data.confidence import Trust, confidence_summary, on_trust
from rulekit.data.datafile import parse_data_file, read_data_file
from rulekit.data.files import read_text
from rulekit.data.manifest import Excuse, Listed, Manifest, parse_manifest, read_manifest
from rulekit.data.model import (
    Cell,
    Confidence,
    DataFile,
    PopulationData,
    RowData,
    TableData,
    ValueData,
)
from rulekit.data.overlay import overlay, overlay_all
from rulekit.data.sources import PrintedRule, PrintedRules, parse_sources, read_sources

__all__ = [
    "Cell",
    "Confidence",
    "DataFile",
    "Excuse",
    "Listed",
    "Manifest",
    "PopulationData",
    "PrintedRule",
    "PrintedRules",
    "RowData",
    "TableData",
    "Trust",
    "ValueData",
    "confidence_summary",
    "on_trust",
    "overlay",
    "overlay_all",
    "parse_data_file",
    "parse_manifest",
    "parse_sources",
    "read_data_file",
    "read_manifest",
    "read_sources",
    "read_text",
]
