"""The examples print what their READMEs promise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_orders_joins_three_tools_and_is_refused_a_large_refund() -> None:
    folder = EXAMPLES / "orders"
    command = [
        sys.executable,
        "-m",
        "amla_cli",
        "run",
        str(folder / "report.js"),
        "--tools",
        str(folder / "tools.toml"),
    ]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)

    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert lines[0] == "Paid orders of 2026-02"
    assert lines[-1] == "ToolDeniedError: refund denied: amount 500 violates amount <= 50"
    assert lines[-2] == _expected_total()


def _expected_total() -> str:
    """The report's last line, computed from the same files without the sandbox."""
    import csv
    import json

    rates = json.loads((EXAMPLES / "orders/data/rates.json").read_text())
    currency = {c["id"]: c["currency"] for c in json.loads((EXAMPLES / "orders/data/customers.json").read_text())}
    with (EXAMPLES / "orders/data/orders.csv").open(newline="") as file:
        orders = [o for o in csv.DictReader(file) if o["date"].startswith("2026-02-") and o["status"] == "paid"]
    total = sum(int(o["quantity"]) * float(o["unit_price"]) * rates[currency[o["customer_id"]]] for o in orders)
    return f"{len({o['customer_id'] for o in orders})} customers, {len(orders)} orders, ${total:,.2f}"
