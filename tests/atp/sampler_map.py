"""The sampler's map: a folded ocean of 500 hexes, drawn by hand, with every place that a rule names."""

from __future__ import annotations

from collections.abc import Iterator

Spot = tuple[int, int]
"""A row and a column."""

FIRST_ROW, FIRST_COLUMN = 5, 94
DRAWN = """
OMc OMc OMr USc USc USr USc USc USr USc USc ... ... SKc ... ... ... ... ... ... ... ... ... AKc AKc
OMc OMc IMc MNc MNc MNr MNc USc USc ... ... ... HIc ... KUc ... ... ALc ALc ... ALc ALc ... AKr ...
IMc IMc JEr MNc MNc KOr KOc ... ... ... ... HIc ... KUc ... ... ... ... ... ... ... ... ... ... ...
NCc NCc NCr NCc ... KOc KOr ... ... ... HIr HIc ... ... ... ... ... ... ... ... ... ... ... ... ...
NCc NCc NCc NCc NCc ... CJc ... ... HIc ... ... ... ... ... ... ... ... ... ... ... ... ... ... ...
NCc NCc NCr NCc NCc NCc ... ... RYc ... ... ... BOc ... ... ... ... ... ... ... ... ... ... ... ...
CHr CHr CHc CHc CHc CHc CHc ... RYc ... ... ... BOc ... ... ... ... ... ... ... AMc ... ... ... ...
INc INc INr BUr CHr CHc CHc ... FOc ... ... ... ... ... ... MCc ... ... ... ... ... ..r ... ... ...
INc INc BUr BUf CHr CHf CHc CHc ... ... ... ... ... ... ... ... ... ... ... ... ... ... ... ... ...
... ... INf BUr BUf CHr CHc HKc ... ... ... ... ... ... ... ... ... ... AMc ... ... ... ... HAc HAc
... ... BUf BUf BUr ICr ICf HNf ... ... LUf ... ... ... MAf ... ... ... ... ... ... AMc ... ... ...
... ... ... BUf THc THc ICr ... ... ... LUf ... ... ... MAf ... ..r ... ... ... ... ... ... ... ...
... ... ... ... THf ICf ICf ... ... ... ... ... ... ... ... ... ... ... ... MSc ... ... ... ... ...
... ... ... ... THf ... ... ..r ... ... VIf ... PLf ... ... CRf ... ... MSc ... ... ... ... ... ...
CEf ... ... SUf MYf ... ... BRf ... VIf MIf ... ... CRf ... ... NIf ... ... ... GIc ... ... ... ...
... ... ... SUr MYf MYf ... BNf BNr ... CLf MOf ... ADf NBf NBr ... BVf ... ... ... ... ... ... ...
... ... ... ... SUf ... ... ... BNf CLf ... DGf DGf PAf ... ... ... ... SOf ... ... ... ... ... SAf
... ... ... ... ... JAf JAr JAf ... ... MOf ... DGr PAr PAf ... ... ... SOf ... NHf NHf ... ... ...
... ... ... ... ... ... ... ... ... ... ... ... ... ... PAf ..r ... ... ... ... CAc ... ... FJf ...
... ... ... ... ... ... ... ... AUc AUc AUr AUc AUc AUc ... ... ... ... ... ... ... ... ... ... ...
"""
TERRITORIES = {
    "OM": "Outer_Mongolia", "US": "USSR", "SK": "Sakhalin", "AK": "Alaska", "IM": "Inner_Mongolia",
    "MN": "Manchukuo",
    "HI": "Home_Islands", "KU": "Kuriles", "AL": "Aleutians", "JE": "Jehol", "KO": "Korea",
    "CJ": "Cheju_do",
    "NC": "North_China", "RY": "Ryukyus", "BO": "Bonins", "CH": "China", "IN": "India", "BU": "Burma",
    "FO": "Formosa", "MC": "Marcus_Island", "AM": "American_Islands", "HK": "Hong_Kong_Colony",
    "HA": "Hawaii",
    "IC": "Indochina", "HN": "Hainan", "LU": "Luzon", "MA": "Marianas", "TH": "Thailand", "MS": "Marshalls",
    "VI": "Visayas", "PL": "Palaus", "CR": "Carolines", "CE": "Ceylon", "SU": "Sumatra", "MY": "Malaya",
    "BR": "British_Borneo", "MI": "Mindanao", "NI": "New_Ireland", "GI": "Gilberts", "BN": "Borneo",
    "CL": "Celebes",
    "MO": "Moluccas", "AD": "Admiralty_Islands", "NB": "New_Britain", "BV": "Bougainville",
    "DG": "Dutch_New_Guinea", "PA": "Papua", "SO": "Solomons", "SA": "Samoa", "JA": "Java",
    "NH": "New_Hebrides",
    "CA": "New_Caledonia", "FJ": "Fiji", "AU": "Australia",
}  # fmt: skip
TERRAINS = {"c": "clear", "f": "forest", "r": "rough"}

PLACES = {
    "Tokyo": (8, 83), "Kure": (8, 84), "Sasebo": (9, 85), "Ominato": (7, 83), "Sapporo": (6, 82),
    "Etorofu": (6, 80), "Kunashiri": (7, 81), "Toyohara": (5, 81), "Okinawa": (11, 86), "Amami": (10, 86),
    "Iwo Jima": (11, 82), "Chichi Jima": (10, 82), "Marcus": (12, 79),
    "Vladivostok": (6, 86), "Vladivostok Airfield": (6, 87), "Khabarovsk": (5, 86), "Ulan Bator": (5, 93),
    "Mukden": (7, 90), "Harbin": (6, 90), "Kalgan": (7, 93), "Seoul": (8, 89), "Pusan": (8, 88),
    "Cheju": (9, 88),
    "Peking": (8, 92), "Tsingtao": (9, 90), "Yenan": (9, 93), "Sian": (10, 92),
    "Shanghai": (11, 88), "Hankow": (11, 90), "Chengdu": (11, 92), "Changsha": (12, 89),
    "Kunming": (13, 90),
    "Kweilin": (13, 89), "Amoy": (13, 87), "Canton": (14, 88), "Hong Kong": (14, 87), "Formosa": (12, 86),
    "Hainan": (15, 87), "Hanoi": (15, 88), "Saigon": (17, 88), "Bangkok": (17, 90), "Chiang Mai": (16, 90),
    "Ledo": (12, 93), "Imphal": (12, 92), "Calcutta": (13, 94), "Chittagong": (13, 93),
    "Cox's Bazar": (14, 92),
    "Akyab": (15, 92), "Myitkyina": (12, 91), "Mandalay": (13, 91), "Lashio": (14, 90), "Rangoon": (16, 91),
    "Kra": (18, 90), "Malaya Resource": (19, 90), "Malacca": (20, 90), "Singapore": (20, 89),
    "Colombo": (19, 94),
    "Medan": (19, 91), "Palembang": (21, 90), "Batavia": (22, 89), "Bandung": (22, 88),
    "Surabaya": (22, 87),
    "Brunei": (19, 87), "Balikpapan": (21, 86), "Makassar": (21, 85), "Menado": (20, 84), "Ambon": (20, 83),
    "Timor": (22, 84), "Aparri": (15, 84), "Manila": (16, 84), "Cebu": (18, 84), "Jolo": (19, 85),
    "Davao": (19, 84),
    "Saipan": (15, 80), "Guam": (16, 80), "Truk": (18, 79), "Yap": (19, 81), "Babelthuap": (18, 82),
    "Wake": (14, 76), "Kwajalein": (18, 76), "Maloelap": (17, 75), "Tarawa": (19, 74),
    "Midway": (11, 74), "Johnston": (15, 73), "Oahu": (14, 71), "Maui": (14, 70), "Pago Pago": (21, 70),
    "Attu": (6, 77), "Kiska": (6, 76), "Umnak": (6, 74), "Unalaska": (6, 73), "Kodiak": (5, 71),
    "Hollandia": (21, 82), "Sorong": (21, 83), "Wewak": (21, 81), "Lae": (22, 80), "Port Moresby": (23, 80),
    "Manus": (20, 81), "Kavieng": (19, 78), "Gasmata": (20, 80), "Rabaul": (20, 79), "Buin": (20, 77),
    "Tulagi": (21, 76), "Guadalcanal": (22, 76), "Espiritu Santo": (22, 74), "Efate": (22, 73),
    "Noumea": (23, 74),
    "Suva": (23, 71), "Broome": (24, 86), "Darwin": (24, 84), "Townsville": (24, 82), "Brisbane": (24, 81),
}  # fmt: skip
"""Places with names; the others go by their coordinates."""

BARE = ("Malacca", "Kra", "Kunashiri", "Chichi Jima")
NO_AIRFIELD = (
    *BARE,
    "Amami",
    "Vladivostok",
    "Pusan",
    "Hankow",
    "Bandung",
    "Sorong",
    "Gasmata",
    "Efate",
    "Jolo",
    "Kiska",
)
NO_ANCHORAGE = (
    *BARE, "Vladivostok Airfield", "Khabarovsk", "Ulan Bator", "Harbin", "Kalgan", "Peking", "Yenan",
    "Sian",
    "Hankow", "Chengdu", "Changsha", "Kunming", "Kweilin", "Hanoi", "Chiang Mai", "Ledo", "Imphal",
    "Calcutta",
    "Cox's Bazar", "Myitkyina", "Mandalay", "Lashio", "Bandung", "Malaya Resource", "Port Moresby",
    "Guadalcanal",
    "Wake", "Tulagi", "Marcus", "Umnak", "Aparri",
)  # fmt: skip
OIL = {"Palembang": 3, "Balikpapan": 2, "Brunei": 1}
RESOURCES = ("Malaya Resource",)

MOUNTAINS = [
    ("Imphal", (13, 92)), ("Imphal", "Myitkyina"), ("Chittagong", (13, 92)), ("Cox's Bazar", (14, 91)),
    ("Ledo", "Imphal"),
    ("Lae", "Port Moresby"), ("Mandalay", "Kunming"), ("Lashio", "Kunming"), ("Chengdu", (11, 93)),
    ((11, 94), (12, 94)), ((11, 94), "Ledo"), ((11, 93), "Ledo"), ((11, 93), "Imphal"),
    ("Chengdu", "Imphal"),
    ("Chengdu", "Myitkyina"), ((11, 91), "Myitkyina"), ((12, 90), "Myitkyina"),
]  # fmt: skip
RIVERS = [
    ("Hankow", (12, 90)), ("Hankow", "Changsha"), ((11, 89), "Changsha"), ((9, 92), "Sian"),
    ((9, 91), (10, 91)),
    ("Mandalay", (14, 91)), ("Rangoon", (15, 91)), ("Bangkok", (17, 89)), ((10, 91), (11, 91)),
]  # fmt: skip
WALLS = [((7, 92), "Peking"), ("Kalgan", "Peking"), ("Kalgan", (8, 93))]
LEDO_ROAD = ["Ledo", "Imphal", "Myitkyina", "Mandalay", "Kunming"]
KOKODA_TRAIL = ["Lae", "Port Moresby"]
STRAITS = [
    ("Ominato", "Sapporo"), ("Kure", "Sasebo"), ("Etorofu", "Kunashiri"), ("Pusan", "Cheju"),
    ("Amoy", "Formosa"),
    ("Hanoi", "Hainan"), ("Hong Kong", "Hainan"), ("Cebu", "Davao"), ("Cebu", "Jolo"), ("Jolo", "Davao"),
    ("Davao", "Menado"), ("Menado", "Ambon"), ("Makassar", "Balikpapan"), ("Makassar", "Menado"),
    ("Ambon", "Sorong"), ("Saipan", "Guam"), ("Oahu", "Maui"), ("Attu", "Kiska"), ("Umnak", "Unalaska"),
    ("Espiritu Santo", "Efate"), ("Tulagi", "Guadalcanal"), ("Okinawa", "Amami"),
    ("Iwo Jima", "Chichi Jima"),
    ("Singapore", "Palembang"), ("Noumea", "Espiritu Santo"), ("Noumea", "Efate"), ("Gasmata", "Manus"),
    ("Toyohara", "Etorofu"), ("Seoul", "Tsingtao"), ("Okinawa", "Formosa"), ("Hong Kong", "Hanoi"),
    ("Kra", "Medan"),
    ("Malaya Resource", "Medan"), ("Malacca", "Palembang"), ("Palembang", "Batavia"), ("Jolo", "Menado"),
    ("Davao", "Ambon"), ("Makassar", "Timor"), ("Yap", "Manus"), ("Yap", "Gasmata"), ("Kavieng", "Buin"),
    ("Manus", "Hollandia"), ("Manus", "Wewak"), ("Gasmata", "Wewak"),
]  # fmt: skip
"""Hexsides of all sea between two lands."""
SHUT = [("Malaya Resource", (18, 90)), ("Ominato", "Tokyo")]
"""Hexsides of land between two hexes with sea."""

SECOND_SHORES = {
    "Kra West": ("Kra", (99, 90), ["Kra"], [(18, 91), (17, 91)]),
    "Malacca West": ("Malacca", (99, 88), ["Medan", (20, 91)], [(21, 91)]),
    "Gasmata South": ("Gasmata", (99, 86), ["Gasmata"], [(21, 80)]),
}
"""Second parts of hexes: which hex, the coordinate, the lands and the seas that adjoin each."""

WEST = {
    8: (93, 94),
    9: (93, 94),
    10: (92, 93, 94),
    11: (91, 92, 93, 94),
    12: (89, 90),
    13: (89, 90),
    14: (89,),
}
"""The hexes of China west of the partition line: columns by row."""


def drawn() -> dict[Spot, str]:
    """What is drawn in each hex: a territory and a terrain, or the sea."""
    rows = [line.split() for line in DRAWN.strip().splitlines()]
    return {
        (FIRST_ROW + row, FIRST_COLUMN - column): cell
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
    }


def around(spot: Spot) -> Iterator[Spot]:
    """The six hexes around one: odd rows lie half a hex further to the right, where columns get lower."""
    row, column = spot
    left = column if row % 2 else column + 1
    yield from ((row, column + 1), (row, column - 1))
    yield from ((row + step, left - shift) for step in (-1, 1) for shift in (0, 1))
