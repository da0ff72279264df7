"""The audit trail: logs in files, looking through them, and collectors in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from os import PathLike
from typing import Any

from amla_sandbox._errors import AuditError, AuditWarning

from ._chain import Flaw, Verification, verify
from ._log import AuditLog, AuditSink

__all__ = [
    "AuditCollector",
    "AuditConfig",
    "AuditEntry",
    "AuditError",
    "AuditLog",
    "AuditSink",
    "AuditWarning",
    "Flaw",
    "Verification",
    "verify",
]


@dataclass(frozen=True)
class AuditConfig:
    """What an `AuditCollector` adds to its entries, and where it writes them (`output_path`; None for nowhere).

    `custom_enricher` gets the data of each entry, and returns what takes its place.
    """

    agent_id: str | None = None
    trace_id: str | None = None
    output_path: str | PathLike[str] | None = None
    capture_binary: bool = False
    """Accepted and without effect: records hold no binary data."""
    custom_enricher: Callable[[dict[str, Any]], dict[str, Any]] | None = None


@dataclass(frozen=True)
class AuditEntry:
    """One entry: `type` is that of the record (`call`, `result`, …), `session_id` the run's id, `data` the rest."""

    type: str
    session_id: str
    timestamp: datetime
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    agent_id: str | None = None
    trace_id: str | None = None
    turn_id: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Everything in one mapping; what is None is left out."""
        named = {
            "type": self.type,
            "session_id": self.session_id,
            "timestamp": self.timestamp.isoformat(),
            "agent_id": self.agent_id,
            "trace_id": self.trace_id,
            "turn_id": self.turn_id,
        }
        return {**self.data, **{name: value for name, value in named.items() if value is not None}}

    def to_jsonl(self) -> str:
        """The same as a line of JSON, without a line break."""
        return json.dumps(self.to_dict())


class AuditCollector:
    """Keeps the entries of a sandbox in memory, and writes them to a log if its config names one."""

    def __init__(self, config: AuditConfig | None = None) -> None:
        """Raises AuditError if there is a log that cannot be opened."""
        self.config = config or AuditConfig()
        self.turn_id = 0
        self.entries: list[AuditEntry] = []
        path = self.config.output_path
        self._log = AuditLog(path) if path is not None else None

    def write(self, record: Mapping[str, object], *, durable: bool = False) -> None:
        """Take a record of a sandbox's."""
        data = {name: value for name, value in record.items() if name not in ("run", "type")}
        enrich = self.config.custom_enricher
        entry = AuditEntry(
            str(record["type"]),
            str(record["run"]),
            datetime.now(UTC),
            enrich(data) if enrich is not None else data,
            self.config.agent_id,
            self.config.trace_id,
            self.turn_id,
        )
        if self._log is not None:
            self._log.write(entry.to_dict(), durable=durable)
        self.entries.append(entry)

    def add_entry(self, entry: AuditEntry, *, write_to_file: bool = True) -> None:
        """Add an entry of your own."""
        if write_to_file and self._log is not None:
            self._log.write(entry.to_dict())
        self.entries.append(entry)

    def add_entries(self, entries: Iterable[AuditEntry], *, write_to_file: bool = True) -> None:
        for entry in entries:
            self.add_entry(entry, write_to_file=write_to_file)

    def get_entries(self, entry_type: str | None = None, since: datetime | None = None) -> Iterator[AuditEntry]:
        """The entries of a type, and from a time on."""
        for entry in self.entries:
            if entry_type in (None, entry.type) and (since is None or entry.timestamp >= since):
                yield entry

    def new_turn(self) -> int:
        """Count the entries from now on to the agent's next turn; its number."""
        self.turn_id += 1
        return self.turn_id

    def close(self) -> None:
        if self._log is not None:
            self._log.close()

    def __len__(self) -> int:
        return len(self.entries)

    def __enter__(self) -> AuditCollector:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
