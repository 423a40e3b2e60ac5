"""The tree as written: made by `parse`, read by `resolve` and `amend`.

One class a production.  Every node has a `span`; those that can carry a citation have `cite`.
"""
