"""From lark's trees to our own: types."""

from __future__ import annotations

from rulekit.syntax.parse.builder.base import BuilderBase, Node
from rulekit.syntax.parse.tree import Token
from rulekit.syntax.tree import types as t


class TypeBuilder(BuilderBase):
    """Builds what stands where a type does."""

    def on_flag_type(self, node: Node) -> t.TypeExpr:
        return t.PlainType(self.span(node), "flag")

    def on_month_type(self, node: Node) -> t.TypeExpr:
        return t.PlainType(self.span(node), "month")

    def on_ratio_type(self, node: Node) -> t.TypeExpr:
        return t.PlainType(self.span(node), "ratio")

    def on_signed(self, node: Node) -> int:
        *sign, digits = node.children
        return -self.number(digits) if sign else self.number(digits)

    def on_range_type(self, node: Node) -> t.TypeExpr:
        low, high = (self.on_signed(child) for child in self.children(node))
        return t.RangeType(self.span(node), low, high)

    def on_dice_type(self, node: Node) -> t.TypeExpr:
        dice, sides = self.dice_of(node.children[0])
        return t.RangeType(self.span(node), dice, dice * sides)

    def on_named_type(self, node: Node) -> t.TypeExpr:
        return t.NamedType(self.span(node), self.on_name(self.children(node)[0]).text)

    def on_set_type(self, node: Node) -> t.TypeExpr:
        return t.SetType(self.span(node), self.build(self.children(node)[0]))

    def on_list_type(self, node: Node) -> t.TypeExpr:
        most = next(child for child in node.children if isinstance(child, Token))
        return t.ListType(self.span(node), self.build(self.children(node)[0]), self.number(most))

    def on_map_type(self, node: Node) -> t.TypeExpr:
        key, value = self.children(node)
        return t.MapType(self.span(node), self.on_name(key).text, self.build(value))

    def on_optional_type(self, node: Node) -> t.TypeExpr:
        return t.OptionalType(self.span(node), self.build(self.children(node)[0]))
