"""Which parts can still be completed, where norms ask that a set be covered.

A *class* is some options together with what the finished answer needs if any of them is in it.  For each
set of classes that may come into play, what is still needed is counted against the picks left, or
matched to the items left where these differ in what they may get.  There are few classes, so that all
their sets are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import or_

from rulekit.base.bits import mask_of, members
from rulekit.base.frozen import frozen

MOST_CLASSES = 6


def picked_options(
    candidates: int, chosen: int, low: int, high: int, classes: Sequence[tuple[int, int]], always: int
) -> tuple[int, bool]:
    """Options for the next pick of a set, and whether the picks so far may be the whole answer.

    Each class is its options and what they need; `always` is needed whatever is picked.
    """
    count = chosen.bit_count()
    options, done = 0, False
    if low > high:
        return options, done
    if count >= high:  # of all sets of classes, those in play alone need least
        needs = (needed for own, needed in classes if own & chosen)
        return options, count >= low and not reduce(or_, needs, always) & ~chosen
    for play in _plays(len(classes), sum(1 << n for n, (own, _) in enumerate(classes) if own & chosen)):
        missing, allowed = always, candidates
        for number, (own, needed) in enumerate(classes):
            if play >> number & 1:
                missing |= needed
            else:
                allowed &= ~own
        missing, allowed = missing & ~chosen, allowed & ~chosen
        done = done or not missing and count >= low
        left = high - count - 1
        if missing & ~allowed or left < 0 or count + allowed.bit_count() < low:
            continue
        if missing.bit_count() <= left:
            options |= allowed
        elif missing.bit_count() == left + 1:
            options |= missing
    return options, done


def assigned_options(
    lists: Sequence[int],
    classes: Sequence[tuple[Sequence[int], int]],
    picks: Sequence[int],
    triggered: int,
    always: int,
    free: Sequence[bool],
    each: int,
) -> tuple[int, bool]:
    """Options for the next item, and whether it may have none.

    Args:
        lists: For each item, the options that final norms leave it.
        classes: For each class, its options by item, and what they need.
        picks: The options of the items before it; below 0 for none.
        triggered: Classes already in play, a mask over `classes`.
        always: The needs of the answer with any picks.
        free: For each item, whether it may be left without an option.
        each: How many items may get the same option; below 0 for any number.
    """
    position, mask, none = len(picks), 0, False
    chosen = mask_of(pick for pick in picks if pick >= 0)
    room = (
        {option: each - picks.count(option) for option in members(reduce(or_, lists, 0))} if each >= 0 else {}
    )
    full = mask_of(option for option, left in room.items() if left <= 0)
    for play in _plays(len(classes), triggered):
        missing = always
        allowed = [options & ~full for options in lists[position:]]
        for number, (own, needed) in enumerate(classes):
            if play >> number & 1:
                missing |= needed
            else:
                allowed = [options & ~own[position + n] for n, options in enumerate(allowed)]
        missing &= ~chosen
        if not all(map(or_, allowed, free[position:])):
            continue
        later, may = allowed[1:], free[position + 1 :]
        none = none or free[position] and can_match(missing, later) and can_seat(later, may, room)
        if not room and can_match(missing, later):
            mask |= allowed[0]
        elif missing.bit_count() <= len(allowed):
            for option in members(allowed[0] & ~mask):
                used = {**room, option: room[option] - 1} if room else room
                rest = [options & ~(1 << option) for options in later] if used.get(option) == 0 else later
                if can_match(missing & ~(1 << option), rest) and can_seat(rest, may, used):
                    mask |= 1 << option
    return mask, none


def can_seat(lists: Sequence[int], free: Sequence[bool], room: Mapping[int, int]) -> bool:
    """Whether every item that must can get an option of its list, none more often than there is room for.

    Without `room`, options are never used up.  Together with `can_match` it tells whether both can be had at
    once: where one way serves all items and another all wanted options, there is a way that serves both.
    """
    bound = [options for options, may in zip(lists, free, strict=True) if not may]
    return _seat_all(bound, room) if room else all(bound)


def _seat_all(lists: Sequence[int], room: Mapping[int, int], wanted: Sequence[int] | None = None) -> bool:
    """Whether each item can get so many options of its list, within the room of each (augmenting paths).

    One for each item, if `wanted` does not say otherwise; an item never gets the same option twice.
    """
    held: dict[int, list[int]] = {}
    seats = (1,) * len(lists) if wanted is None else wanted
    return all(
        _seat(item, lists, room, held, set()) for item, count in enumerate(seats) for _ in range(count)
    )


def _seat(
    item: int, lists: Sequence[int], room: Mapping[int, int], held: dict[int, list[int]], seen: set[int]
) -> bool:
    for option in members(lists[item]):
        holders = held.setdefault(option, [])
        if option in seen or item in holders:
            continue
        seen.add(option)
        if len(holders) < room[option]:
            holders.append(item)
            return True
        for place, other in enumerate(holders):
            if _seat(other, lists, room, held, seen):
                holders[place] = item
                return True
    return False


@frozen
class _Open:
    """Items whose sets are open, with the options of each, how many it needs and how many it can get.

    Those that may stay empty need none: none of these needs several where options may run out.
    """

    lists: Sequence[int]
    needs: Sequence[int]
    caps: Sequence[int]

    def serves(self, missing: int, room: Mapping[int, int]) -> bool:
        """Whether all items can get what they need, and together all that is missing.

        Both can be had at once where each can be had alone: a flow through items and options.
        """
        if missing:
            takers = [
                mask_of(n for n, own in enumerate(self.lists) if own >> one & 1) for one in members(missing)
            ]
            if not all(takers) or not _seat_all(takers, dict(enumerate(self.caps))):
                return False
        if room:
            return _seat_all(self.lists, room, self.needs)
        return all(own.bit_count() >= need for own, need in zip(self.lists, self.needs, strict=True))


def set_options(
    lists: Sequence[int],
    lows: Sequence[int],
    highs: Sequence[int],
    frees: Sequence[bool],
    classes: Sequence[tuple[Sequence[int], int]],
    always: int,
    sets: Sequence[int],
    chosen: int,
    each: int,
) -> tuple[int, bool]:
    """Options that may be added to the set of the next item, and whether that may stay as it is.

    Args:
        lists: For each item, the options that final norms leave it.
        lows, highs: For each item, how many it gets at least, and at most.
        frees: For each item, whether it may have none.
        classes, always: As in `assigned_options`.
        sets: The sets of the items before it.
        chosen: The set of this item so far.
        each: How many items may get the same option; below 0 for any number.
    """
    place, count = len(sets), chosen.bit_count()
    lists = [own if low <= high else 0 for own, low, high in zip(lists, lows, highs, strict=True)]
    given = reduce(or_, sets, chosen)
    room = {
        option: each - sum(own >> option & 1 for own in (*sets, chosen))
        for option in members(reduce(or_, lists, 0) if each >= 0 else 0)
    }
    full = mask_of(option for option, left in room.items() if left <= 0)
    needs = [0 if free else max(low, 1) for low, free in zip(lows[place:], frees[place:], strict=True)]
    here = max(0, lows[place] - count - 1)
    in_play = sum(
        1 << number
        for number, (own, _) in enumerate(classes)
        if any(mine & one for mine, one in zip(own, (*sets, chosen), strict=False))
    )
    mask, done = 0, False
    for play in _plays(len(classes), in_play):
        missing, allowed = always, [options & ~full for options in lists[place:]]
        for number, (own, needed) in enumerate(classes):
            if play >> number & 1:
                missing |= needed
            else:
                allowed = [options & ~own[place + n] for n, options in enumerate(allowed)]
        missing &= ~given
        mine, *later = allowed
        # What may get none, or several, gets none where there are not so many left for it.
        later = [
            own if own.bit_count() >= low else 0 for own, low in zip(later, lows[place + 1 :], strict=True)
        ]
        caps = highs[place + 1 :]
        if not done and (count >= lows[place] if count else frees[place]):
            done = _Open(later, needs[1:], caps).serves(missing, room)
        mine &= ~chosen
        if count >= highs[place] or mine.bit_count() <= here:
            continue
        for option in members(mine & ~mask):
            taken = 1 << option
            left = {**room, option: room[option] - 1} if room else room
            rest = [own & ~taken for own in later] if left.get(option) == 0 else later
            ahead = _Open([mine & ~taken, *rest], [here, *needs[1:]], [highs[place] - count - 1, *caps])
            if ahead.serves(missing & ~taken, left):
                mask |= taken
    return mask, done


def _plays(count: int, triggered: int) -> Iterator[int]:
    """All sets of classes, as masks, that hold those already in play; the largest first."""
    for play in range((1 << count) - 1, -1, -1):
        if not triggered & ~play:
            yield play


def can_match(wanted: int, lists: Sequence[int]) -> bool:
    """Whether each wanted option can be given to an item of its own (augmenting paths)."""
    if not wanted:
        return True
    if wanted.bit_count() > len(lists):
        return False
    common = lists[0]
    for allowed in lists:
        common &= allowed
    if not wanted & ~common:
        return True
    holder: dict[int, int] = {}
    return all(_augment(option, lists, holder, set()) for option in members(wanted))


def _augment(option: int, lists: Sequence[int], holder: dict[int, int], seen: set[int]) -> bool:
    """As `_seat` with room for one, which walks the lists only as far as it must."""
    for item, allowed in enumerate(lists):
        if allowed >> option & 1 and item not in seen:
            seen.add(item)
            if item not in holder or _augment(holder[item], lists, holder, seen):
                holder[item] = option
                return True
    return False
