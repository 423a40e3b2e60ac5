"""The sampler's counters: every unit that a rule names, and one of every kind; their values are made up."""

from __future__ import annotations

from typing import NamedTuple

HOME, HAWAII, KWANTUNG = ["Home_Islands"], ["Hawaii"], ["Manchukuo", "Jehol", "Korea"]
OCCUPIED, FREE_CHINA, NORTH = ["China", "North_China"], ["China"], ["North_China"]


class Entry(NamedTuple):
    """Where and when a counter enters: turn, hexes, territories."""

    turn: int
    posts: tuple[str, ...] = ()
    lands: tuple[str, ...] = ()


def at(turn: int, *posts: str) -> Entry:
    """Entry in certain hexes."""
    return Entry(turn, posts)


def into(turn: int, *lands: str) -> Entry:
    """Entry in certain territories."""
    return Entry(turn, (), lands)


GROUND = [
    # Japan: the named divisions, the armies on the mainland, landing forces, parachutists
    ("J 2", "Japanese", "division", "infantry", 1, 3, 3, False, at(1, "Hanoi", "Formosa")),
    ("J 4", "Japanese", "division", "infantry", 0, 3, 3, False, at(1, "Shanghai")),
    ("J 5", "Japanese", "division", "motorized", 1, 4, 5, False, at(1, "Hainan", "Hanoi")),
    ("J 16", "Japanese", "division", "infantry", 0, 3, 3, False, at(1, "Amami", "Okinawa")),
    ("J 18", "Japanese", "division", "infantry", 2, 4, 3, False, at(1, "Hainan", "Saigon")),
    ("J 21", "Japanese", "division", "infantry", 0, 3, 3, False, into(1, *HOME)),
    ("J 33", "Japanese", "division", "infantry", 0, 3, 3, False, into(1, "Indochina")),
    ("J 38", "Japanese", "division", "motorized", 1, 4, 5, False, at(1, "Canton")),
    ("J 48", "Japanese", "division", "infantry", 1, 3, 3, False, at(1, "Formosa")),
    ("J 53", "Japanese", "division", "infantry", 0, 3, 3, False, into(1, *HOME)),
    ("J 54", "Japanese", "division", "infantry", -1, 2, 3, False, into(1, *HOME)),
    ("J 55", "Japanese", "division", "infantry", 0, 3, 3, False, into(1, "Indochina")),
    ("J 56", "Japanese", "division", "infantry", 1, 3, 3, False, at(1, "Babelthuap")),
    ("J IG", "Japanese", "division", "motorized", 2, 4, 5, False, into(1, "Indochina")),
    ("J 3 TG", "Japanese", "brigade", "armor", 1, 2, 5, False, into(1, "Indochina")),
    ("J 1 Armor", "Japanese", "division", "armor", 0, 4, 5, False, into(1, *KWANTUNG)),
    ("J 2 Armor", "Japanese", "division", "armor", 0, 4, 5, False, into(1, *KWANTUNG)),
    ("J 3 Armor", "Japanese", "division", "armor", 0, 4, 5, False, into(1, *OCCUPIED)),
    ("J 1 Kwantung", "Japanese", "army", "infantry", 0, 8, 2, False, into(1, *KWANTUNG)),
    ("J 3 Kwantung", "Japanese", "army", "infantry", 0, 8, 2, False, into(1, *KWANTUNG)),
    ("J 17 Korea", "Japanese", "corps", "infantry", -1, 4, 2, False, into(1, "Korea")),
    ("J North China", "Japanese", "army", "infantry", 0, 7, 2, False, into(1, *NORTH)),
    ("J 11 Hankow", "Japanese", "army", "infantry", 1, 8, 2, False, at(1, "Hankow")),
    ("J 13 Shanghai", "Japanese", "corps", "infantry", 0, 5, 2, False, at(1, "Shanghai")),
    ("J 23 Canton", "Japanese", "corps", "infantry", 0, 5, 2, False, at(1, "Canton")),
    ("J 5 Fleet", "Japanese", "division", "infantry", 0, 2, 0, False, at(1, "Truk")),
    ("J S1 SNLF", "Japanese", "regiment", "infantry", 1, 1, 1, True, at(1, "Kwajalein")),
    ("J K SNLF", "Japanese", "regiment", "infantry", 1, 1, 1, True, at(1, "Saigon")),
    ("J SSA", "Japanese", "regiment", "infantry", 0, 1, 1, True, at(1, "Saipan")),
    ("J SSB", "Japanese", "regiment", "infantry", 0, 1, 1, True, at(1, "Truk")),
    ("J 3 SNLF", "Japanese", "regiment", "parachute", 1, 1, 1, True, at(1, "Davao", "Formosa")),
    ("J 1 RG", "Japanese", "regiment", "parachute", 1, 1, 1, False, at(1, "Saigon")),
    ("J 18 Area", "Japanese", "army", "infantry", 0, 6, 1, False, at(2, "Bangkok")),
    ("J 7", "Japanese", "division", "infantry", 0, 3, 3, False, into(3, *HOME)),
    ("J 31 Area", "Japanese", "army", "infantry", 0, 6, 0, False, at(6, "Truk", "Saipan")),
    ("J 36 Home", "Japanese", "army", "infantry", -1, 6, 2, False, into(8, *HOME)),
    ("INA", "Indian_National", "division", "infantry", 0, 2, 3, False, at(5, "Singapore", "Rangoon")),
    # the United States
    ("US P", "American", "division", "infantry", -1, 2, 2, False, into(1, "Luzon")),
    ("US NL", "American", "corps", "infantry", -1, 3, 1, False, into(1, "Luzon")),
    ("US SL", "American", "corps", "infantry", -1, 3, 1, False, into(1, "Luzon")),
    ("US VM", "American", "corps", "infantry", -1, 2, 1, False, into(1, "Visayas", "Mindanao")),
    ("US GDB", "American", "brigade", "infantry", 0, 1, 0, False, at(1, "Guam")),
    ("US WDB II", "American", "battalion", "infantry", 1, 1, 0, False, at(1, "Wake")),
    ("US 24", "American", "division", "infantry", 0, 3, 3, False, into(1, *HAWAII)),
    ("US ATG", "American", "regiment", "infantry", 0, 1, 2, True, into(1, "Alaska", "Aleutians")),
    ("US Americal", "American", "division", "infantry", 1, 3, 3, False, at(2, "Noumea")),
    ("US 1 Marine", "American", "division", "infantry", 2, 4, 3, True, into(3, *HAWAII)),
    ("US 41", "American", "division", "infantry", 0, 3, 3, False, at(3, "Brisbane")),
    ("US 503", "American", "regiment", "parachute", 1, 1, 3, False, at(4, "Townsville", "Brisbane")),
    ("US 2 Marine", "American", "division", "infantry", 1, 4, 3, True, into(5, *HAWAII)),
    ("US MM", "American", "regiment", "infantry", 1, 1, 4, False, into(6, "India")),
    ("US 511", "American", "regiment", "parachute", 1, 1, 3, False, at(7, "Brisbane")),
    ("US 187", "American", "regiment", "glider", 1, 1, 3, False, at(7, "Brisbane")),
    ("US 188", "American", "regiment", "glider", 1, 1, 3, False, at(7, "Brisbane")),
    ("US 13 Armor", "American", "division", "armor", 1, 5, 6, False, into(8, *HAWAII)),
    # the British Empire, the Dutch, the Free French
    ("Br 18", "British", "division", "infantry", -1, 3, 3, False, at(1, "Singapore", "Malacca")),
    ("Ind 9", "Indian", "division", "infantry", -1, 2, 3, False, at(1, "Malaya Resource")),
    ("Ind 11", "Indian", "division", "infantry", -1, 2, 3, False, at(1, "Malaya Resource", "Kra")),
    ("Ind 17", "Indian", "division", "infantry", 0, 3, 3, False, into(1, "Burma")),
    ("Burmese", "Burmese", "division", "infantry", -1, 1, 2, False, into(1, "Burma")),
    ("Ind 7", "Indian", "division", "infantry", 1, 3, 3, False, into(2, "India")),
    ("Br 2", "British", "division", "motorized", 1, 4, 5, False, into(3, "India")),
    ("Ind C", "Indian", "division", "infantry", 1, 2, 4, False, into(4, "India")),
    ("Ind 50", "Indian", "brigade", "parachute", 1, 1, 3, False, into(5, "India")),
    ("W Afr 81", "West_African", "division", "infantry", 0, 2, 3, False, into(5, "India")),
    ("E Afr 11", "East_African", "division", "infantry", 0, 2, 3, False, into(6, "India")),
    ("Aus 8", "Australian", "division", "infantry", 0, 3, 3, False, at(1, "Singapore")),
    ("Aus 6", "Australian", "division", "infantry", 1, 3, 3, False, into(1, "Australia")),
    ("Aus 7", "Australian", "division", "infantry", 1, 3, 3, False, into(2, "Australia")),
    ("Aus 30", "Australian", "brigade", "infantry", 0, 1, 5, False, at(1, "Port Moresby")),
    ("NZ 3", "New_Zealander", "division", "infantry", 0, 3, 3, False, at(2, "Suva")),
    ("NL 1", "Dutch", "division", "infantry", -1, 2, 2, False, at(1, "Batavia", "Bandung")),
    ("NL 2", "Dutch", "division", "infantry", -1, 2, 2, False, at(1, "Surabaya")),
    ("NL BF", "Dutch", "regiment", "infantry", 0, 1, 1, False, at(1, "Balikpapan")),
    ("French", "French", "regiment", "infantry", 0, 1, 2, False, at(1, "Noumea")),
    # China: Nationalists, the Expeditionary Force, Communists, guerrillas
    ("KMT 8 Area", "KMT", "army", "infantry", 0, 3, 1, False, into(1, *FREE_CHINA)),
    ("KMT 9 Area", "KMT", "army", "infantry", 0, 4, 1, False, into(1, *FREE_CHINA)),
    ("KMT 4 Area", "KMT", "army", "infantry", -1, 2, 1, False, into(1, *FREE_CHINA)),
    ("KMT 1 Area", "KMT", "corps", "infantry", -1, 2, 1, False, into(1, *OCCUPIED)),
    ("KMT 5", "KMT", "corps", "infantry", 0, 2, 2, False, into(1, *FREE_CHINA)),
    ("KMT 6", "KMT", "corps", "infantry", 0, 2, 2, False, into(1, *FREE_CHINA)),
    ("KMT 66", "KMT", "corps", "infantry", -1, 2, 2, False, into(2, *FREE_CHINA)),
    ("KMT 1", "KMT", "corps", "infantry", 1, 3, 2, False, into(5, *FREE_CHINA)),
    ("KMT CEF", "KMT", "division", "motorized", 1, 2, 4, False, into(6, *FREE_CHINA)),
    ("KMT Guerrilla", "KMT", "brigade", "irregular", -1, 1, 1, False, into(1, *FREE_CHINA)),
    ("CCP 115", "CCP", "division", "infantry", 1, 2, 2, False, into(1, *NORTH)),
    ("CCP 120", "CCP", "division", "infantry", 0, 2, 2, False, into(1, *NORTH)),
    ("CCP 129", "CCP", "division", "infantry", 0, 2, 2, False, into(1, *NORTH)),
    ("CCP Shensi", "CCP", "division", "infantry", 0, 1, 2, False, into(1, *NORTH)),
    ("CCP Shansi", "CCP", "division", "infantry", 0, 1, 2, False, into(1, *NORTH)),
    ("CCP Guerrilla 1", "CCP", "brigade", "irregular", 0, 1, 1, False, into(1, *NORTH)),
    ("CCP Guerrilla 2", "CCP", "brigade", "irregular", 0, 1, 1, False, into(1, *NORTH)),
    # the Soviet Union
    ("Soviet 1", "Soviet", "army", "infantry", 0, 6, 2, False, into(1, "USSR")),
    ("Soviet 2", "Soviet", "army", "infantry", 0, 6, 2, False, into(1, "USSR")),
    ("Soviet Trans", "Soviet", "army", "infantry", 1, 8, 2, False, into(8, "USSR", "Outer_Mongolia")),
    ("Soviet 6 Tank", "Soviet", "corps", "armor", 2, 6, 6, False, into(9, "Outer_Mongolia")),
    ("Soviet Para", "Soviet", "brigade", "parachute", 1, 1, 3, False, into(8, "USSR")),
]  # fmt: skip
"""Columns: name, nation, size, arm, CEL, factor, moves, anchor, entry."""

NAVAL = [
    ("IJN CV-1", "Japanese", "CV", 0, 0, 3, 3, 6, 2, 6, at(1, "Etorofu")),
    ("IJN CV-2", "Japanese", "CV", 0, 0, 3, 3, 6, 2, 6, at(1, "Etorofu")),
    ("IJN CV-3", "Japanese", "CV", 0, 0, 3, 3, 6, 1, 6, at(1, "Etorofu")),
    ("IJN CVL-1", "Japanese", "CVL", 0, 0, 2, 2, 4, 1, 6, into(1, *HOME)),
    ("IJN CVE-1", "Japanese", "CVE", 0, 0, 1, 1, 2, 0, 4, into(3, *HOME)),
    ("IJN CV-4", "Japanese", "CV", 0, 0, 3, 3, 7, 0, 6, into(6, *HOME)),
    ("IJN BB-1", "Japanese", "BB", 10, 0, 0, 3, 9, 1, 5, into(1, *HOME)),
    ("IJN BB-2", "Japanese", "BB", 9, 0, 0, 3, 8, 1, 5, into(1, *HOME)),
    ("IJN BB-3", "Japanese", "BB", 8, 0, 0, 2, 8, 0, 5, into(1, *HOME)),
    ("IJN BB-4", "Japanese", "BB", 12, 0, 0, 4, 12, 1, 5, into(2, *HOME)),
    ("IJN BC-1", "Japanese", "BC", 7, 0, 0, 2, 6, 1, 6, at(1, "Hainan", "Formosa")),
    ("IJN BC-2", "Japanese", "BC", 7, 0, 0, 2, 6, 1, 6, at(1, "Etorofu")),
    ("IJN CA-1", "Japanese", "CA", 5, 4, 0, 2, 5, 1, 6, at(1, "Hainan", "Saigon")),
    ("IJN CA-2", "Japanese", "CA", 5, 4, 0, 2, 5, 2, 6, at(1, "Etorofu")),
    ("IJN CA-3", "Japanese", "CA", 5, 4, 0, 2, 5, 1, 6, at(1, "Formosa")),
    ("IJN CA-5", "Japanese", "CA", 4, 4, 0, 2, 4, 1, 6, at(1, "Babelthuap")),
    ("IJN CA-6", "Japanese", "CA", 4, 4, 0, 2, 4, 1, 6, at(1, "Truk")),
    ("IJN CL-1", "Japanese", "CL", 2, 3, 0, 1, 3, 1, 6, at(1, "Hainan")),
    ("IJN CL-2", "Japanese", "CL", 2, 3, 0, 1, 3, 1, 6, at(1, "Truk")),
    ("IJN DD-1", "Japanese", "DD", 1, 4, 0, 1, 2, 1, 6, at(1, "Hainan", "Formosa")),
    ("IJN DD-2", "Japanese", "DD", 1, 4, 0, 1, 2, 1, 6, into(1, *HOME)),
    ("IJN DD-3", "Japanese", "DD", 1, 4, 0, 1, 2, 2, 6, at(1, "Truk")),
    ("IJN DD-4", "Japanese", "DD", 1, 4, 0, 1, 2, 1, 6, at(1, "Saigon")),
    ("IJN DD-5", "Japanese", "DD", 1, 3, 0, 1, 2, 0, 6, at(1, "Babelthuap")),
    ("IJN DD-8", "Japanese", "DD", 1, 4, 0, 1, 2, 2, 6, at(1, "Etorofu")),
    ("IJN DD-9", "Japanese", "DD", 1, 4, 0, 1, 2, 1, 6, at(1, "Etorofu")),
    ("IJN LCD-1", "Japanese", "LCD", 0, 0, 0, 0, 1, 0, 4, at(1, "Hainan", "Formosa")),
    ("IJN LCD-2", "Japanese", "LCD", 0, 0, 0, 0, 1, 0, 4, at(1, "Saigon")),
    ("IJN TR-1", "Japanese", "TR", 0, 0, 0, 0, 1, 0, 4, at(1, "Hainan")),
    ("IJN TR-2", "Japanese", "TR", 0, 0, 0, 0, 1, 0, 4, at(1, "Formosa")),
    ("IJN TR-3", "Japanese", "TR", 0, 0, 0, 0, 1, 0, 4, into(1, *HOME)),
    ("IJN TR-5", "Japanese", "TR", 0, 0, 0, 0, 1, 0, 4, at(1, "Babelthuap")),
    ("IJN T-1", "Japanese", "Type_T", 1, 2, 0, 1, 2, 0, 5, into(6, *HOME)),
    ("IJN SB-1", "Japanese", "Type_SB", 0, 0, 0, 0, 1, 0, 3, into(7, *HOME)),
    ("IJN SS-1", "Japanese", "SS", 0, 3, 0, 0, 1, 1, 5, at(1, "Kwajalein")),
    ("IJN SS-2", "Japanese", "SS", 0, 3, 0, 0, 1, 1, 5, into(1, *HOME)),
    ("USN CV-1", "American", "CV", 0, 0, 3, 3, 6, 1, 6, into(1, *HAWAII)),
    ("USN CV-2", "American", "CV", 0, 0, 3, 3, 6, 1, 6, at(2, "Espiritu Santo")),
    ("USN CV-3", "American", "CV", 0, 0, 3, 4, 7, 1, 6, into(5, *HAWAII)),
    ("USN CVL-1", "American", "CVL", 0, 0, 2, 2, 4, 1, 6, into(5, *HAWAII)),
    ("USN CVE-1", "American", "CVE", 0, 0, 1, 1, 2, 0, 4, into(4, *HAWAII)),
    ("USN BB-1", "American", "BB", 8, 0, 0, 2, 8, 0, 4, at(1, "Oahu")),
    ("USN BB-2", "American", "BB", 8, 0, 0, 2, 8, 0, 4, into(3, *HAWAII)),
    ("USN BB-3", "American", "BB", 9, 0, 0, 4, 9, 1, 5, into(6, *HAWAII)),
    ("USN BB-4", "American", "BB", 8, 0, 0, 3, 8, 0, 4, at(1, "Oahu")),
    ("USN BB-5", "American", "BB", 8, 0, 0, 3, 8, 0, 4, at(1, "Oahu")),
    ("USN BB-6", "American", "BB", 11, 0, 0, 5, 11, 1, 5, into(4, *HAWAII)),
    ("USN BC-1", "American", "BC", 7, 0, 0, 4, 7, 1, 6, into(8, *HAWAII)),
    ("USN CA-1", "American", "CA", 5, 0, 0, 2, 5, 0, 6, at(1, "Oahu")),
    ("USN CA-2", "American", "CA", 5, 0, 0, 2, 5, 0, 6, at(1, "Manila")),
    ("USN CA-3", "American", "CA", 5, 0, 0, 3, 5, 1, 6, into(2, *HAWAII)),
    ("USN CL-1", "American", "CL", 3, 2, 0, 2, 3, 0, 6, into(1, *HAWAII)),
    ("USN CLAA-1", "American", "CLAA", 2, 2, 0, 4, 3, 1, 6, into(3, *HAWAII)),
    ("USN DD-1", "American", "DD", 1, 2, 0, 1, 2, 0, 6, into(1, *HAWAII)),
    ("USN DD-2", "American", "DD", 1, 2, 0, 1, 2, 0, 6, at(2, "Espiritu Santo")),
    ("USN DD-3", "American", "DD", 1, 2, 0, 1, 2, -1, 6, at(1, "Manila")),
    ("USN DD-4", "American", "DD", 1, 3, 0, 1, 2, 1, 6, into(4, *HAWAII)),
    ("USN DD-5", "American", "DD", 1, 3, 0, 2, 2, 1, 6, into(6, *HAWAII)),
    ("USN APD-1", "American", "APD", 1, 0, 0, 1, 2, 0, 6, into(3, *HAWAII)),
    ("USN APA-1", "American", "APA", 0, 0, 0, 1, 1, 0, 4, into(3, *HAWAII)),
    ("USN LST-1", "American", "LST", 0, 0, 0, 1, 1, 0, 3, into(5, *HAWAII)),
    ("USN TR-1", "American", "TR", 0, 0, 0, 0, 1, 0, 4, into(1, *HAWAII)),
    ("USN TR-2", "American", "TR", 0, 0, 0, 0, 1, 0, 4, at(2, "Brisbane")),
    ("USN SS-1", "American", "SS", 0, 2, 0, 0, 1, 0, 5, at(1, "Manila")),
    ("USN SS-2", "American", "SS", 0, 2, 0, 0, 1, 0, 5, at(1, "Oahu")),
    ("RN BB-1", "British", "BB", 8, 0, 0, 2, 7, 0, 5, at(1, "Singapore")),
    ("RN DD-1", "British", "DD", 1, 2, 0, 1, 2, 1, 6, at(1, "Singapore")),
    ("RN CL-1", "British", "CL", 3, 2, 0, 1, 3, 0, 6, at(1, "Surabaya")),
    ("RN TR-1", "British", "TR", 0, 0, 0, 0, 1, 0, 4, at(1, "Colombo")),
    ("RN CV-1", "British", "CV", 0, 0, 2, 4, 8, 1, 6, at(9, "Brisbane", "Chittagong")),
    ("RN BB-2", "British", "BB", 10, 0, 0, 4, 10, 1, 5, at(9, "Brisbane", "Chittagong")),
    ("RN DD-2", "British", "DD", 1, 3, 0, 2, 2, 1, 6, at(9, "Brisbane", "Chittagong")),
    ("RAN CA-1", "Australian", "CA", 4, 2, 0, 1, 4, 0, 6, at(1, "Brisbane")),
    ("RNN CL-1", "Dutch", "CL", 2, 2, 0, 1, 3, 0, 6, at(1, "Surabaya")),
    ("RNN DD-1", "Dutch", "DD", 1, 2, 0, 1, 2, 0, 6, at(1, "Surabaya")),
    ("RNN SS-1", "Dutch", "SS", 0, 2, 0, 0, 1, 0, 3, at(1, "Surabaya")),
]  # fmt: skip
"""Columns: name, nation, type, bombard, torpedo, capacity, flak, defence, CEL, range, entry."""

AIR = [
    ("Zero A", "Japanese", 5, 0, "", 3, 3, None, "c", "IJN CV-1", at(1, "Etorofu")),
    ("Val A", "Japanese", 1, 4, "D", 2, 3, None, "c", "IJN CV-1", at(1, "Etorofu")),
    ("Kate A", "Japanese", 0, 5, "T", 2, 3, None, "c", "IJN CV-1", at(1, "Etorofu")),
    ("Zero B", "Japanese", 5, 0, "", 3, 3, None, "c", "IJN CV-2", at(1, "Etorofu")),
    ("Val B", "Japanese", 1, 4, "D", 2, 3, None, "c", "IJN CV-2", at(1, "Etorofu")),
    ("Kate B", "Japanese", 0, 5, "T", 2, 3, None, "c", "IJN CV-2", at(1, "Etorofu")),
    ("Zero C", "Japanese", 5, 0, "", 3, 3, None, "c", "IJN CV-3", at(1, "Etorofu")),
    ("Val C", "Japanese", 1, 4, "D", 2, 3, None, "c", "IJN CV-3", at(1, "Etorofu")),
    ("Claude", "Japanese", 3, 0, "", 2, 2, None, "c", "IJN CVL-1", into(1, *HOME)),
    ("Judy", "Japanese", 1, 5, "D", 3, 4, None, "c", None, into(5, *HOME)),
    ("Betty A", "Japanese", 0, 5, "L", 2, 5, None, "", None, into(1, "Formosa", "Indochina")),
    ("Betty B", "Japanese", 0, 5, "L", 2, 5, None, "", None, into(1, "Formosa", "Marianas", "Carolines")),
    ("Nell", "Japanese", 0, 4, "L", 2, 5, None, "", None, into(1, "Marshalls", "Indochina")),
    ("Sally", "Japanese", 0, 3, "L", 2, 3, None, "", None, into(1, "Manchukuo", "China", "North_China")),
    ("Lily", "Japanese", 0, 2, "L", 1, 2, None, "", None, into(1, *HOME)),
    ("Oscar A", "Japanese", 3, 0, "", 2, 3, None, "", None, into(1, "Indochina", "Formosa")),
    ("Nate", "Japanese", 2, 0, "", 1, 2, None, "", None, into(1, *HOME, "Manchukuo")),
    ("Mavis A", "Japanese", 0, 2, "L", 2, 6, None, "f", None, at(1, "Truk", "Babelthuap")),
    ("L3Y", "Japanese", 0, 0, "", 1, 4, None, "t", None, at(1, "Formosa", "Saigon")),
    ("Ki-57", "Japanese", 0, 0, "", 1, 4, None, "t", None, at(1, "Saigon")),
    ("Betty C", "Japanese", 0, 5, "L", 2, 5, None, "", None, into(3, *HOME)),
    ("Oscar B", "Japanese", 3, 1, "", 2, 3, None, "", None, into(4, *HOME)),
    ("F4F A", "American", 4, 0, "", 3, 3, 0, "c", "USN CV-1", into(1, *HAWAII)),
    ("SBD A", "American", 2, 4, "D", 3, 3, 1, "c", "USN CV-1", into(1, *HAWAII)),
    ("TBD", "American", 0, 3, "T", 1, 2, 0, "c", "USN CV-1", into(1, *HAWAII)),
    ("F4F B", "American", 4, 0, "", 3, 3, 1, "c", "USN CV-2", at(2, "Espiritu Santo")),
    ("SBD B", "American", 2, 4, "D", 3, 3, 1, "c", "USN CV-2", at(2, "Espiritu Santo")),
    ("F6F", "American", 6, 0, "", 5, 4, 1, "c", "USN CV-3", into(5, *HAWAII)),
    ("TBF", "American", 1, 5, "TL", 3, 4, 1, "c", "USN CV-3", into(5, *HAWAII)),
    ("FM-2", "American", 4, 0, "", 4, 3, 0, "c", "USN CVE-1", into(4, *HAWAII)),
    ("P-36", "American", 2, 0, "", 1, 2, -1, "", None, into(1, *HAWAII)),
    ("P-40 B", "American", 3, 1, "", 2, 2, -1, "", None, into(1, "Luzon")),
    ("P-40 C", "American", 3, 1, "", 2, 2, 0, "", None, into(1, *HAWAII)),
    ("B-17 A", "American", 1, 4, "S", 4, 6, 0, "", None, into(1, *HAWAII)),
    ("B-17 B", "American", 1, 4, "S", 4, 6, 0, "", None, into(1, "Luzon")),
    ("PBY", "American", 0, 2, "L", 2, 6, 0, "f", None, into(1, "Hawaii", "Aleutians")),
    ("B-25 A", "American", 1, 4, "L", 3, 4, 1, "", None, into(2, *HAWAII)),
    ("P-39", "American", 3, 1, "", 2, 2, 0, "", None, at(2, "Noumea", "Brisbane")),
    ("P-38", "American", 5, 1, "", 4, 4, 1, "", None, into(4, *HAWAII)),
    ("B-24", "American", 1, 5, "S", 4, 7, 0, "", None, into(4, *HAWAII)),
    ("C47 A", "American", 0, 0, "", 2, 4, None, "t", None, at(4, "Brisbane")),
    ("B-29", "American", 2, 8, "S", 5, 10, 1, "", None, into(7, "India", "Hawaii")),
    ("Bln", "British", 0, 2, "L", 2, 3, -1, "", None, at(1, "Malaya Resource")),
    ("Buf A", "British", 2, 0, "", 1, 2, -1, "", None, at(1, "Singapore")),
    ("Hur A", "British", 3, 0, "", 2, 2, 0, "", None, at(1, "Rangoon", "Singapore")),
    ("Wellington", "British", 0, 4, "L", 3, 5, 0, "", None, into(2, "India")),
    ("C47 B", "British", 0, 0, "", 2, 4, None, "t", None, into(5, "India")),
    ("Wirt A", "Australian", 1, 1, "D", 1, 2, -1, "", None, at(1, "Rabaul", "Darwin")),
    ("Wirt B", "Australian", 1, 1, "D", 1, 2, -1, "", None, at(1, "Singapore", "Darwin")),
    ("Hudson", "Australian", 1, 2, "L", 2, 4, 0, "", None, into(1, "Australia")),
    ("Beaufort", "Australian", 1, 3, "T", 2, 3, 0, "", None, into(3, "Australia")),
    ("Buf B", "Dutch", 2, 0, "", 1, 2, -1, "", None, at(1, "Surabaya", "Batavia")),
    ("Martin", "Dutch", 0, 2, "L", 1, 3, -1, "", None, at(1, "Surabaya", "Palembang")),
    ("Brewster", "Dutch", 2, 0, "", 1, 2, -1, "", None, at(2, "Surabaya", "Batavia")),
    ("KMT P-40", "KMT", 3, 1, "L", 2, 3, 1, "", None, at(1, "Kunming", "Kweilin")),
    ("Il-4", "Soviet", 0, 4, "L", 2, 5, 0, "", None, into(1, "USSR")),
    ("Yak", "Soviet", 4, 0, "", 3, 2, 0, "", None, into(8, "USSR")),
    ("ANT-3", "Soviet", 0, 0, "", 1, 4, None, "t", None, into(8, "USSR")),
]  # fmt: skip
"""Columns: name, nation, attack, bombs, bombers, defence, range, CEL, marks, ship, entry.

Marks: c carrier capable, f flying boat, t transport.
"""

PILOTS = [
    *(
        (f"Carrier Pilots {n}", cel, True, into(1, *HOME))
        for n, cel in enumerate((2, 2, 2, 1, 1, 1, 1, 0, 0), 1)
    ),
    *(
        (f"Land Pilots {n}", cel, False, into(1, *HOME))
        for n, cel in enumerate((2, 1, 1, 0, 0, 0, 0, -1, -1), 1)
    ),
    ("Carrier Cadets 1", -1, True, into(4, *HOME)),
    ("Carrier Cadets 2", -2, True, into(5, *HOME)),
    ("Land Cadets 1", 0, False, into(3, *HOME)),
    ("Land Cadets 2", -1, False, into(4, *HOME)),
    ("Land Cadets 3", -2, False, into(7, *HOME)),
]
"""Columns: name, CEL, carrier trained, entry."""

POL = [
    *((f"Japan POL {n}", "Japan", False, into(turn, *HOME)) for n, turn in enumerate((1, 1, 1, 2, 2), 1)),
    *((f"Palembang POL {turn}", "Japan", False, at(turn, "Palembang")) for turn in (3, 4, 5, 6)),
    *((f"Balikpapan POL {turn}", "Japan", False, at(turn, "Balikpapan")) for turn in (3, 5, 7)),
    ("Espiritu Santo POL", "Allies", False, at(2, "Espiritu Santo")),
    *(
        (f"Allied POL {n}", "Allies", False, at(turn, "Oahu", "Maui", "Pago Pago"))
        for n, turn in enumerate((2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9), 1)
    ),
    ("Commonwealth POL", "Allies", True, at(9, "Brisbane", "Chittagong")),
]
"""Columns: name, side, Commonwealth, entry; 12 of Japan and 20 of the Allies, as the booklet counts them."""
