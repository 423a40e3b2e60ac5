"""OpenFisca: variables worked out month by month, dated parameters, and reforms laid over one another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.peers.said import Ask, Complaint, Pair, Said, asked

MONTHS = [{"month": f"1942-{month:02}"} for month in range(1, 13)]
Formula = Callable[[Any, Any, Any], Any]


def by_hand() -> Mapping[str, Pair]:
    """Options as reforms, dated values as parameters, definitions as variables."""
    three, four, five = (_constant(number) for number in (3, 4, 5))
    early = _dated({"1942-01": 1, "1942-08": 3})
    late = _dated({"1942-01": 3, "1942-06": 5})
    return {
        "RK234/two-redefine": Pair(
            lambda: _asked({"limit": three}, [{"limit": four}, {"limit": five}]),
            lambda: _asked({"limit": three}, [{"limit": five}]),
        ),
        "RK234/nobody-chose-them": Pair(
            lambda: _asked(
                {"limit": three, "sight": three}, [{"limit": four}, {"sight": four}, {"limit": five}]
            ),
            lambda: _asked({"limit": three, "sight": three}, [{"sight": four}, {"limit": five}]),
        ),
        "RK234/two-months": Pair(
            lambda: _asked({"limit": three}, [{"limit": early}, {"limit": late}]),
            lambda: _asked({"limit": three}, [{"limit": late}]),
        ),
        "RK230/renamed": Pair(
            lambda: _asked({"limit": three}, [{"limits": four}]),
            lambda: _asked({"limit": three}, [{"limit": four}]),
        ),
        "RK201/two-meanings": Pair(
            lambda: _asked({"limit": three}, [], {"limit": four}),
            lambda: _asked({"limit": three}, [], {"sight": four}),
        ),
        "RK210/never-defined": Pair(
            lambda: _asked({"limit": _reads("carrier")}, []),
            lambda: _asked({"limit": _reads("carrier"), "carrier": three}, []),
        ),
        "RK314/in-a-circle": Pair(
            lambda: _asked({"limit": _reads("linked"), "linked": _reads("limit")}, []),
            lambda: _asked({"limit": _reads("linked"), "linked": three}, []),
        ),
        "RK321/a-month-between": Pair(
            lambda: _asked({"limit": _parameter({"1942-01-01": 2, "1942-05-01": None, "1942-07-01": 3})}, []),
            lambda: _asked({"limit": _parameter({"1942-01-01": 2, "1942-07-01": 3})}, []),
        ),
        "RK501/wrong-order": Pair(
            lambda: _asked({"limit": _select((3, 1), (6, 2))}, []),
            lambda: _asked({"limit": _select((6, 2), (3, 1))}, []),
        ),
    }


def _constant(number: int) -> Formula:
    return lambda game, period, parameters: game.empty_array() + number


def _reads(name: str) -> Formula:
    return lambda game, period, parameters: game(name, period) + 1


def _dated(values: Mapping[str, int]) -> Formula:
    """What began last counts."""

    def formula(game: Any, period: Any, parameters: Any) -> Any:
        return game.empty_array() + values[max(month for month in values if month <= str(period))]

    return formula


def _parameter(values: Mapping[str, int | None]) -> Formula:
    from openfisca_core.parameters import ParameterNode

    node = ParameterNode("", data={"range": {"values": {day: {"value": n} for day, n in values.items()}}})
    return lambda game, period, parameters: game.empty_array() + node(period.start).range


def _select(*cases: tuple[int, int]) -> Formula:
    import numpy

    def formula(game: Any, period: Any, parameters: Any) -> Any:
        damage = game.empty_array() + int(str(period)[-2:]) - 1
        return numpy.select([damage > bound for bound, _ in cases], [value for _, value in cases], 0)

    return formula


def _asked(
    base: Mapping[str, Formula],
    reforms: list[Mapping[str, Formula]],
    more: Mapping[str, Formula] | None = None,
) -> Said:
    """What is told of a system with its reforms, and of `limit` in every month.

    Args:
        more: Variables that another file of the same system adds.
    """

    def load() -> Ask:
        try:
            system = _system(base, reforms, more or {})
        except Exception as error:  # whatever it raises is what it tells
            raise Complaint(error) from error

        def ask(given: Mapping[str, Any]) -> str:
            from openfisca_core.simulations import SimulationBuilder

            try:
                simulation = SimulationBuilder().build_from_dict(system, {"games": {"game": {}}})
                number = int(simulation.calculate("limit", given["month"])[0])
            except Exception as error:
                raise Complaint(error) from error
            return f"{number} in {given['month']}" if len(reforms) > 1 else ""

        return ask

    return asked(load, MONTHS)


def _system(
    base: Mapping[str, Formula], reforms: list[Mapping[str, Formula]], more: Mapping[str, Formula]
) -> Any:
    from openfisca_core.entities import Entity
    from openfisca_core.periods import MONTH
    from openfisca_core.reforms import Reform
    from openfisca_core.taxbenefitsystems import TaxBenefitSystem
    from openfisca_core.variables import Variable

    game = Entity("game", "games", "a game", "")

    def variable(name: str, formula: Formula) -> Any:
        # OpenFisca reads a formula's parameters from a function with a name.
        def formula_(population: Any, period: Any, parameters: Any) -> Any:
            return formula(population, period, parameters)

        parts = {"value_type": int, "entity": game, "definition_period": MONTH, "formula": formula_}
        return type(name, (Variable,), parts)

    system = TaxBenefitSystem([game])
    for variables in (base, more):
        for name, formula in variables.items():
            system.add_variable(variable(name, formula))
    for changed in reforms:

        def apply(self: Any, changed: Mapping[str, Formula] = changed) -> None:
            for name, formula in changed.items():
                self.update_variable(variable(name, formula))

        system = type("changed", (Reform,), {"apply": apply})(system)
    return system
