"""R37: what the grants of a manifest allow that those of an older one did not."""

from __future__ import annotations

import pytest
from compare_texts import PAY, codes, grants, texts

NARROWER = {
    "nothing": (grants('method = "pay/*"'), grants('method = "pay/*"')),
    "a bound": (
        grants('method = "pay/*"\nconstraints = { amount = "<=50" }'),
        grants('method = "pay/*"\nconstraints = { amount = "<=20" }'),
    ),
    "a pattern": (grants('method = "**"'), grants('method = "pay/card"')),
    "a list": (
        grants('method = "pay/card"\nconstraints = { to = ["a", "b"] }'),
        grants('method = "pay/card"\nconstraints = { to = "b" }'),
    ),
    "calls": (grants('method = "pay/*"\nmax_calls = 9'), grants('method = "pay/*"\nmax_calls = 3')),
    "a budget split": (
        grants('method = "pay/*"\nmax_calls = 9'),
        grants('method = "pay/card"\nmax_calls = 5', 'method = "pay/cash"\nmax_calls = 4'),
    ),
    "a budget that the tools' own limits bound": (
        grants('method = "pay/*"\nmax_calls = 9'),
        PAY.replace("[tools", "max_calls = 4\n[tools").replace("\nmax_calls = 4\n", "\n", 1)
        + 'max_calls = 5\n[[capabilities]]\nmethod = "pay/*"',
    ),
    "a rate from max_calls": (
        grants('method = "pay/*"\nrate = "5/minute"'),
        grants('method = "pay/*"\nmax_calls = 5'),
    ),
    "a slower rate": (
        grants('method = "pay/*"\nrate = "60/hour"'),
        grants('method = "pay/*"\nrate = "1/minute"'),
    ),
    "a total split": (
        grants('method = "pay/*"\ntotal = { amount = "<=90" }'),
        grants('method = "pay/card"\ntotal = { amount = "<=40" }', 'method = "pay/cash"\ntotal = { amount = "<=50" }'),
    ),
    "an approval more": (grants('method = "pay/*"'), grants('method = "pay/*"\napproval = "ask"')),
    "an earlier end": (
        grants('method = "pay/*"\nexpires = 2031-01-01T00:00:00Z'),
        grants('method = "pay/*"\nexpires = 2031-01-01T01:00:00+02:00'),
    ),
    "a grant taken away": (grants('method = "pay/card"', 'method = "pay/cash"'), grants('method = "pay/cash"')),
    "the stricter first": (
        grants('method = "pay/*"', 'method = "pay/card"\napproval = "ask"'),
        grants('method = "pay/card"\napproval = "ask"', 'method = "pay/*"'),
    ),
    "two that do not meet, the other way round": (
        grants('method = "pay/card"\nconstraints = { to = "a" }', 'method = "pay/card"\nconstraints = { to = "b" }'),
        grants('method = "pay/card"\nconstraints = { to = "b" }', 'method = "pay/card"\nconstraints = { to = "a" }'),
    ),
    "what an earlier one hides": (
        grants('method = "pay/*"\nmax_calls = 3'),
        grants('method = "pay/*"\nmax_calls = 3', 'method = "pay/card"\nmax_calls = 50'),
    ),
    "from the tool's table into a capability": (
        PAY + 'constraints = { amount = "<=5" }',
        PAY + 'constraints = { amount = "<=5" }\nallow = true\n[[capabilities]]\nmethod = "pay/cash"\nmax_calls = 2',
    ),
}


WIDER = {
    "a bound": (
        grants('method = "pay/*"\nconstraints = { amount = "<=50" }'),
        grants('method = "pay/*"\nconstraints = { amount = "<=51" }'),
        ["AM502"],
    ),
    "no bound": (grants('method = "pay/*"\nconstraints = { amount = "<=50" }'), grants('method = "pay/*"'), ["AM502"]),
    "a pattern": (grants('method = "pay/card"'), grants('method = "pay/*"'), ["AM502"]),
    "a grant more": (grants(), grants('method = "pay/card"'), ["AM502"]),
    "a bound that only optional arguments meet": (
        grants('method = "pay/card"\nconstraints = { to = "a" }'),
        grants('method = "pay/card"\nconstraints = { to = { eq = "a", optional = true } }'),
        ["AM502"],
    ),
    "the tool's own bound": (
        PAY + 'constraints = { amount = "<=5" }\n[[capabilities]]\nmethod = "pay/*"',
        PAY + '[[capabilities]]\nmethod = "pay/*"',
        ["AM502"],
    ),
    "allow = false": (
        PAY + 'allow = false\n[[capabilities]]\nmethod = "pay/*"',
        PAY + '[[capabilities]]\nmethod = "pay/*"',
        ["AM502"],
    ),
    "calls": (grants('method = "pay/*"\nmax_calls = 3'), grants('method = "pay/*"\nmax_calls = 4'), ["AM503"]),
    "no limit of calls": (grants('method = "pay/*"\nmax_calls = 3'), grants('method = "pay/*"'), ["AM503"]),
    "one budget made two": (
        grants('method = "pay/*"\nmax_calls = 9'),
        grants('method = "pay/card"\nmax_calls = 9', 'method = "pay/cash"\nmax_calls = 9'),
        ["AM503"],
    ),
    "one total made two": (
        grants('method = "pay/*"\ntotal = { amount = "<=90" }'),
        grants('method = "pay/card"\ntotal = { amount = "<=90" }', 'method = "pay/cash"\ntotal = { amount = "<=90" }'),
        ["AM503"],
    ),
    "a total that is reached": (
        grants('method = "pay/*"\ntotal = { amount = "<90" }'),
        grants('method = "pay/*"\ntotal = { amount = "<=90" }'),
        ["AM503"],
    ),
    "a rate in bursts": (
        grants('method = "pay/*"\nrate = "1/minute"'),
        grants('method = "pay/*"\nrate = "60/hour"'),
        ["AM503"],
    ),
    "a rate whose intervals do not fit into the old one's": (
        grants('method = "pay/*"\nrate = "3/4s"'),
        grants('method = "pay/*"\nrate = "2/3s"'),
        ["AM503"],
    ),
    "the tool's own calls": (
        PAY + 'max_calls = 2\n[[capabilities]]\nmethod = "pay/*"',
        PAY + '[[capabilities]]\nmethod = "pay/*"',
        ["AM503"],
    ),
    "a capability gone, for which the tool's own limits now grant": (
        PAY + 'max_calls = 2\n[[capabilities]]\nmethod = "pay/cash"\nconstraints = { amount = "<=5" }',
        PAY + "max_calls = 2\n",
        ["AM502"],
    ),
    "no approval": (grants('method = "pay/*"\napproval = "ask"'), grants('method = "pay/*"'), ["AM504"]),
    "the laxer first": (
        grants('method = "pay/card"\napproval = "ask"', 'method = "pay/*"'),
        grants('method = "pay/*"', 'method = "pay/card"\napproval = "ask"'),
        ["AM504"],
    ),
    "the laxer first, by a condition": (
        grants('method = "pay/card"\nconstraints = { amount = ">50" }\napproval = "ask"', 'method = "pay/card"'),
        grants('method = "pay/card"', 'method = "pay/card"\nconstraints = { amount = ">50" }\napproval = "ask"'),
        ["AM504"],
    ),
    "a later end": (
        grants('method = "pay/*"\nexpires = 2030-01-01T00:00:00Z'),
        grants('method = "pay/*"\nexpires = 2030-01-01T00:00:01Z'),
        ["AM505"],
    ),
    "no end": (grants('method = "pay/*"\nexpires = 2030-01-01T00:00:00Z'), grants('method = "pay/*"'), ["AM505"]),
}


@pytest.mark.parametrize("old_new", NARROWER.values(), ids=NARROWER)
def test_what_is_narrower_is_no_finding(old_new: tuple[str, str]) -> None:
    assert texts(*old_new) == []


@pytest.mark.parametrize("row", WIDER.values(), ids=WIDER)
def test_r37_what_is_wider_is_found(row: tuple[str, str, list[str]]) -> None:
    old, new, expected = row
    assert codes(old, new) == expected


def test_what_cannot_be_decided_is_a_finding_that_says_so() -> None:
    """What is true and not proved counts as wider, in words that say so."""
    old = grants('method = "pay/card"\nconstraints = { to = { matches = "[a-z]+" } }')
    new = grants('method = "pay/card"\nconstraints = { to = { matches = "[a-y]+" } }')
    (text,) = texts(old, new)
    assert "cannot be shown" in text
