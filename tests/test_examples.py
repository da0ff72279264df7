"""The examples print what their READMEs promise."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"


ORDERS = EXAMPLES / "orders"


def run(script: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "amla_cli", "run", str(ORDERS / script), "--tools", str(ORDERS / "tools.toml")]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_orders_joins_three_tools_and_is_refused_a_large_refund() -> None:
    ended = run("report.js")

    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert lines[0] == "Paid orders of 2026-02"
    assert lines[-1] == "ToolDeniedError: refund denied: amount 500 violates amount <= 50"
    assert lines[-2] == _expected_total()


def test_orders_in_the_shell() -> None:
    ended = run("open.sh")

    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == "tool: refund denied: amount 500 violates amount <= 50\n"
    head, *rows, refunded, status = ended.stdout.splitlines()
    assert head == "Open orders of 2026-02"
    assert [(row.split()[0], float(row.split()[-1])) for row in rows] == _open_orders()
    assert refunded.startswith('"refunded 20.00 for ')
    assert status == "status 126"


def _open_orders() -> list[tuple[str, float]]:
    """Number and amount of each, largest first, read without the sandbox."""
    with (ORDERS / "data/orders.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["date"].startswith("2026-02-") and row["status"] == "open"]
    amounts = [(row["order_id"], round(int(row["quantity"]) * float(row["unit_price"]), 2)) for row in rows]
    return sorted(amounts, key=lambda each: -each[1])


def _expected_total() -> str:
    """The report's last line, computed from the same files without the sandbox."""
    rates = json.loads((ORDERS / "data/rates.json").read_text())
    currency = {c["id"]: c["currency"] for c in json.loads((ORDERS / "data/customers.json").read_text())}
    with (ORDERS / "data/orders.csv").open(newline="") as file:
        orders = [o for o in csv.DictReader(file) if o["date"].startswith("2026-02-") and o["status"] == "paid"]
    total = sum(int(o["quantity"]) * float(o["unit_price"]) * rates[currency[o["customer_id"]]] for o in orders)
    return f"{len({o['customer_id'] for o in orders})} customers, {len(orders)} orders, ${total:,.2f}"


POLICY = EXAMPLES / "policy"


def check(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "amla_cli", "check-policy", *words, "--tools", "tools.toml"]
    return subprocess.run(command, cwd=POLICY, capture_output=True, text=True, timeout=120, check=False)


def test_the_policy_of_the_example_is_clean() -> None:
    ended = check("scripts")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert f"```text\n{ended.stdout}```" in (POLICY / "README.md").read_text("utf-8")


def test_the_scripts_of_the_example_do_on_trial_what_they_should() -> None:
    ended = check("scripts", "--run")
    assert ended.returncode == 0, ended.stdout
    assert "5 calls made on trial (5 allowed)" in ended.stdout


def test_a_laxer_policy_than_that_of_the_example_is_found(tmp_path: Path) -> None:
    text = (POLICY / "tools.toml").read_text("utf-8")
    (tmp_path / "old.toml").write_text(text.replace('cents = "<=1000"', 'cents = "<=500"'))
    ended = check("--against", str(tmp_path / "old.toml"))
    assert ended.returncode == 1
    assert "AM50" in ended.stdout


def test_the_hook_of_the_example_does_that_check() -> None:
    """Its arguments are those of the README's command, and pre-commit passes no others."""
    lines = [line.strip() for line in (POLICY / ".pre-commit-config.yaml").read_text("utf-8").splitlines()]
    assert "- id: amla-check-policy" in lines
    assert "args: [--tools, tools.toml, scripts]" in lines
    assert "pass_filenames: false" in lines
