"""The rows of the shell's table: what is measured, and the bar it has."""

from __future__ import annotations

from dataclasses import dataclass

from ._ratios import Aim

__all__ = ["ROWS", "Row"]


@dataclass(frozen=True)
class Row:
    """One line of the table: a `script` that all sides run, or a `special` that the workers know by name."""

    what: str
    aim: Aim
    script: str = ""
    special: str = ""
    rounds: int = 10
    patience: float = 60
    """Seconds."""

    @property
    def case(self) -> dict[str, str]:
        return {"script": self.script} if self.script else {"special": self.special}


INFORMATION = Aim()
EXTERNAL = "for ((i = 0; i < 1000; i++)); do {}; done; echo $i"
STREAM = "for i in {1..40}; do cat log.txt; done | grep -v DEBUG | cut -d' ' -f2-5 | sort -u | wc -l"


def _over(most: float, what: str, script: str, *, ahead: bool = True) -> Row:
    """A row that is held against the native tools, and unless told otherwise against bashkit."""
    return Row(what, Aim(most, ahead=ahead), script)


def _external(what: str, body: str) -> Row:
    return Row(f"1,000 times {what}", INFORMATION, EXTERNAL.format(body))


ROWS = (
    Row("create a sandbox + hello", Aim(1.0, "ms"), special="create", rounds=100),
    Row("next run in a sandbox", Aim(0.2, "ms"), special="next", rounds=100),
    Row("… after a pause of 2 ms", INFORMATION, special="next-paused", rounds=200),
    Row("1,000 tool calls in a loop", Aim(200, "ms"), special="calls", rounds=15),
    Row("endless loop past its deadline", Aim(100, "ms"), special="endless-shell"),
    Row("endless regex past its deadline", Aim(100, "ms"), special="endless-regex"),
    Row("endless jq past its deadline", Aim(100, "ms"), special="endless-jq"),
    Row("endless awk past its deadline", Aim(100, "ms"), special="endless-awk"),
    Row("yes | head -1", Aim(20, "ms"), "yes | head -1"),
    Row("200 MB through grep | cut | sort -u | wc", INFORMATION, STREAM, rounds=3, patience=180),
    _over(
        1.5,
        "loop with arithmetic, 20,000 turns",
        "n=0; for ((i = 0; i < 20000; i++)); do ((n += i % 7)); done; echo $n",
        ahead=False,
    ),
    _over(
        1.0,
        "while read over 10,000 lines",
        'n=0; while read -r name value rest; do n=$((n + value)); done < lines.txt; echo "$n $name"',
        ahead=False,
    ),
    _over(
        1.5,
        "function called 5,000 times",
        "f() { local x=$1; r=$((x * 2)); }; n=0; for ((i = 0; i < 5000; i++)); do f $i; ((n += r)); done; echo $n",
        ahead=False,
    ),
    _over(2.5, "grep -c", "grep -c ERROR log.txt > out"),
    _over(2.5, "grep -E alternation", "grep -E 'user=(alice|bob|erin)[0-9]+ (PUT|DELETE)' log.txt > out"),
    _over(2.5, "grep -i", "grep -i 'error user=alice' log.txt > out"),
    _over(2, "sort", "sort log.txt > out"),
    _over(2, "sort -n -k", "sort -n -k8 log.txt > out"),
    _over(2, "sort | uniq -c | sort -rn", "sort events.txt | uniq -c | sort -rn > out"),
    _over(2, "cut", "cut -d' ' -f1,4 log.txt > out"),
    _over(2, "tr", "tr a-z A-Z < log.txt > out"),
    _over(2, "wc", "wc log.txt > out"),
    _over(2, "sed s///g", "sed 's/user/person/g' log.txt > out"),
    _over(2, "sed with groups", "sed -E 's/user=([a-z]+)([0-9]+)/\\2-\\1/' log.txt > out"),
    _over(2, "awk sum", "awk '{ s += $NF } END { print s }' log.txt > out"),
    _over(
        2,
        "awk count with filter",
        "awk '$3 == \"ERROR\" { n[$2]++ } END { for (k in n) t += n[k]; print t }' log.txt > out",
    ),
    _over(1.3, "jq select", "jq '[.[] | select(.status >= 500) | .id] | length' data.json > out"),
    _over(1.3, "jq map add", "jq 'map(.ms) | add' data.json > out"),
    _over(1.3, "jq group_by", "jq -c 'group_by(.user) | map({user: .[0].user, n: length})' data.json > out"),
    Row("cat", INFORMATION, "cat log.txt > out"),
    Row("cat | cat | wc -c", INFORMATION, "cat log.txt | cat | wc -c > out"),
    Row("5 MB to the caller", INFORMATION, "cat log.txt"),
    _external("echo a | cat > /dev/null", "echo a | cat > /dev/null"),
    _external("true, as a command", "/bin/true"),
    _external("$(cat f)", "x=$(cat lines.txt | head -1)"),
    _external('$(echo "$s" | cut -d: -f1)', 'x=$(echo "a:b:$i" | cut -d: -f1)'),
)
