"""The audit log: what it says, that it says it in time, and that nobody changes it unnoticed."""

from __future__ import annotations

import errno
import hashlib
import hmac
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from amla_sandbox import (
    AuditCollector,
    AuditConfig,
    AuditError,
    AuditLog,
    AuditWarning,
    Limits,
    MethodCapability,
    Sandbox,
    ToolDefinition,
)
from amla_sandbox.audit import AuditEntry, verify

KEY = b"0123456789abcdef0123"
ANYTHING = {"type": "object", "additionalProperties": True}
NUMBERS = {"type": "object", "properties": {"n": {"type": "integer"}}}


def tool(handler: Callable[[Any], Any], **more: Any) -> ToolDefinition:
    return ToolDefinition("ask", "Ask.", NUMBERS, handler=handler, **more)


def echo(**more: Any) -> ToolDefinition:
    return tool(lambda arguments: arguments.get("n"), **more)


def made(path: Any, **options: Any) -> Sandbox:
    options = {"tools": [echo()], "capabilities": [MethodCapability("ask", max_calls=3)], **options}
    return Sandbox(audit=path, **options)


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


def types(path: Path) -> list[str]:
    return [record["type"] for record in records(path)]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "audit.log"


# --- what is recorded ----------------------------------------------------------------------------------------


def test_a_call_is_recorded_before_it_is_made_and_its_result_after(log: Path) -> None:
    seen: list[list[str]] = []
    with made(log, tools=[tool(lambda _: seen.append(types(log)))]) as sandbox:
        sandbox.execute("await ask({n: 1})")
    assert seen == [["run", "call"]]
    assert types(log) == ["run", "call", "result", "end"]
    run, call, result, end = records(log)
    assert len({record["run"] for record in records(log)}) == 1
    assert (run["script"], run["language"]) == ("script.js", "javascript")
    assert run["source"] == hashlib.sha256(b"await ask({n: 1})").hexdigest()
    assert (call["tool"], call["arguments"], call["verdict"], call["capability"]) == (
        "ask", {"n": 1}, "allowed", "cap:tool-call:ask",
    )  # fmt: skip
    assert call["digest"] == hashlib.sha256(b'{"n":1}').hexdigest()
    assert (result["call"], result["outcome"], result["bytes"]) == (call["call"], "ok", len("null"))
    assert (end["exit_code"], end["calls"]) == (0, 1)


REFUSALS = {
    "denied": ("await ask({n: 1})", {"capabilities": []}, "denied", "NOT_GRANTED"),
    "limit": ("await ask({}); await ask({})", {"capabilities": [MethodCapability("ask", max_calls=1)]}, "denied", "CALL_LIMIT"),
    "schema": ("await ask({n: 'x'})", {}, "refused", None),
    "approval": ("await ask({})", {"capabilities": [MethodCapability("ask", approval="ask")]}, "denied", "NEEDS_APPROVAL"),
}  # fmt: skip


@pytest.mark.parametrize(("script", "options", "outcome", "code"), REFUSALS.values(), ids=REFUSALS)
def test_r36_refusals_are_recorded(log: Path, script: str, options: Any, outcome: str, code: str | None) -> None:
    with made(log, **options) as sandbox:
        sandbox.run(script)
    (refused,) = [record for record in records(log) if record["type"] == "refused"]
    assert (refused["outcome"], refused.get("code")) == (outcome, code)
    assert refused["message"]


def test_failures_and_calls_that_were_given_up_are_recorded(log: Path) -> None:
    def fail(_: Any) -> None:
        raise LookupError("nothing there")

    with made(log, tools=[tool(fail)]) as sandbox:
        sandbox.run("await ask({})")
    assert records(log)[2]["outcome"] == "failed"
    assert records(log)[2]["message"] == "nothing there"
    with made(log, tools=[tool(lambda _: threading.Event().wait(60))], limits=Limits(timeout=0.2)) as sandbox:
        sandbox.run("await ask({})")
    assert [record["outcome"] for record in records(log) if record["type"] == "result"] == ["failed", "abandoned"]


def test_questions_and_answers_are_recorded(log: Path) -> None:
    asking = [MethodCapability("ask", approval="ask")]
    with made(log, capabilities=asking, approve=lambda asked: asked.arguments["n"] == 1) as sandbox:
        sandbox.run("await ask({n: 1}); await ask({n: 2})")
    shown = [(record["type"], record.get("answer")) for record in records(log)]
    assert shown == [
        ("run", None), ("ask", None), ("answer", "yes"), ("call", None), ("result", None),
        ("ask", None), ("answer", "no"), ("refused", None), ("end", None),
    ]  # fmt: skip
    assert records(log)[3]["approval"] == "yes"
    assert records(log)[7]["code"] == "NOT_APPROVED"


def test_secrets_are_masked_wherever_they_are(log: Path) -> None:
    schema = {"type": "object", "additionalProperties": True}
    pin = ToolDefinition("pin", "", schema, handler=lambda _: 1, secret=frozenset({"code", "card.number", "list[*].k"}))
    pin = ToolDefinition(
        "pin", "", schema, handler=lambda _: 1, secret=pin.secret, secret_values=("s3cr3t-token",)
    )  # fmt: skip
    with made(log, tools=[pin], capabilities=[MethodCapability("pin")]) as sandbox:
        result = sandbox.run(
            "await pin({code: 1234, card: {number: '4111', name: 'A'}, list: [{k: 'hid1'}, {k: 'hid2', v: 1}], t: 'x s3cr3t-token'})"
        )
    text = log.read_text()
    assert not any(secret in text for secret in ("1234", "4111", "hid1", "hid2", "s3cr3t"))
    expected = {
        "code": "[secret]", "card": {"number": "[secret]", "name": "A"},
        "list": [{"k": "[secret]"}, {"k": "[secret]", "v": 1}], "t": "x [secret]",
    }  # fmt: skip
    assert records(log)[1]["arguments"] == expected
    assert result.calls[0].arguments == expected


def test_secrets_of_a_refused_call_are_masked(log: Path) -> None:
    with made(log, tools=[echo(secret=frozenset({"n"}))]) as sandbox:
        sandbox.run("await ask({n: 'hush', more: 1})")
    assert records(log)[1]["arguments"] == {"n": "[secret]", "more": "[secret]"}
    assert "hush" not in log.read_text()


def test_what_may_be_a_misspelt_secret_is_masked(log: Path) -> None:
    """Beside secrets, under a name that the schema does not know; it is in no message either."""
    card = {"type": "object", "properties": {"number": {}, "name": {}}, "additionalProperties": False}
    properties = {"card": card, "cards": {"type": "array", "items": card}, "n": {}}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    hiding = ToolDefinition("ask", "", schema, handler=lambda _: 1, secret=frozenset({"card.number"}))
    open_ = ToolDefinition("open", "", schema, handler=lambda _: 1)
    with made(log, tools=[hiding, open_]) as sandbox:
        given = "{n: 1, crad: {number: 'hush'}, card: {name: 'A', nubmer: 'hush'}, cards: [{nubmer: 'hush'}]}"
        sandbox.run(f"await ask({given})")
        assert "hush" not in log.read_text()
        assert records(log)[1]["arguments"] == {
            "n": 1, "crad": "[secret]", "card": {"name": "A", "nubmer": "[secret]"}, "cards": [{"nubmer": "[secret]"}],
        }  # fmt: skip
        sandbox.run(f"await open({given})")
    assert records(log)[4]["arguments"]["crad"] == {"number": "hush"}


def test_secrets_that_a_failing_tool_repeats_are_masked(log: Path) -> None:
    """For the script, which knows them, the message is whole."""

    def refuse(arguments: Any) -> None:
        card, codes = arguments["card"], arguments["codes"]
        raise ValueError(f"no such card: {card['number']}, {codes[0]}, {json.dumps(codes[1])}, not {arguments['n']}")

    hiding = ToolDefinition(
        "ask", "", ANYTHING, handler=refuse, secret=frozenset({"card.number", "codes", "n"})
    )  # fmt: skip
    with made(log, tools=[hiding]) as sandbox:
        result = sandbox.run("await ask({card: {number: '4111'}, codes: ['hush', 'a\\nb'], n: 77.5})")
    assert "no such card: 4111, hush, " in (result.error or "")
    assert records(log)[2]["message"] == 'no such card: [secret], [secret], "[secret]", not [secret]'
    assert result.calls[0].message == records(log)[2]["message"]


def test_half_a_secret_is_not_recorded_where_a_message_is_cut(log: Path) -> None:
    def refuse(arguments: Any) -> None:
        raise ValueError("x" * arguments["n"] + arguments["key"])

    hiding = ToolDefinition("ask", "", ANYTHING, handler=refuse, secret=frozenset({"key"}))
    with made(log, tools=[hiding]) as sandbox:
        sandbox.run("for (const n of [490, 1990]) await ask({n, key: 'hush-hush-hush'}).catch(() => 0)")
    assert "hush" not in log.read_text()


def test_a_message_beside_very_many_secrets_is_not_recorded(log: Path) -> None:
    def refuse(arguments: Any) -> None:
        raise ValueError(arguments["keys"][0])

    hiding = ToolDefinition("ask", "", ANYTHING, handler=refuse, secret=frozenset({"keys"}))
    with made(log, tools=[hiding]) as sandbox:
        sandbox.run("await ask({keys: Array.from({length: 1000}, (_, n) => `hush${n}`)})")
    assert records(log)[2]["message"] == "[secret]"


def test_long_arguments_are_cut_and_known_by_their_digest(log: Path) -> None:
    schema = {"type": "object", "additionalProperties": True}
    with made(log, tools=[ToolDefinition("ask", "", schema, handler=lambda _: 1)]) as sandbox:
        sandbox.run("await ask({s: 'a'.repeat(100_000)})")
    call = records(log)[1]
    whole = json.dumps({"s": "a" * 100_000}, separators=(",", ":"))
    assert call["arguments"] is None
    assert (call["beginning"], call["length"]) == (whole[:1000], len(whole))
    assert call["digest"] == hashlib.sha256(whole.encode()).hexdigest()
    assert log.stat().st_size < 10_000


def test_lines_are_ascii_whatever_a_script_sends(log: Path) -> None:
    schema = {"type": "object", "additionalProperties": True}
    with made(log, tools=[ToolDefinition("ask", "", schema, handler=lambda _: 1)]) as sandbox:
        sandbox.run(r"await ask({s: '\n\x1b[2J\u2028\ud800 é', '\u202e': 1}); await tools.call('\x1b]0;x\x07', {})")
    data = log.read_bytes()
    assert all(byte == 10 or 32 <= byte < 127 for byte in data)
    assert verify(data.splitlines(keepends=True)).intact


def test_nothing_is_loaded_or_called_without_a_log() -> None:
    code = (
        "import sys; from amla_sandbox import Sandbox, MethodCapability, ToolDefinition\n"
        "t = ToolDefinition('ask', '', {'type': 'object'}, handler=lambda a: 1)\n"
        "s = Sandbox(tools=[t], capabilities=[MethodCapability('ask')]); s.run('await ask({})'); s.close()\n"
        "print(sorted(m for m in sys.modules if m.startswith('amla_sandbox.') and any(w in m for w in "
        "('audit', 'chain', 'approval', 'asking', 'mock', 'dry'))), 'hmac' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[] False\n" or done.stdout.startswith("[] ")


# --- a log that cannot be written ----------------------------------------------------------------------------


def full(*_: Any) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_r36_a_call_that_cannot_be_recorded_is_not_made(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[Any] = []
    with made(log, tools=[tool(called.append)]) as sandbox:
        sandbox.start("try { await ask({}) } catch (error) { return error.message }")
        sandbox.stop()
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(AuditError, match="No space left"):
            sandbox.run("1")
        monkeypatch.undo()
        sandbox.start("await new Promise(r => setTimeout(r, 20)); try { await ask({}) } catch (e) { return e.message }")
        monkeypatch.setattr(os, "fsync", full)
        with pytest.warns(AuditWarning):
            result = sandbox.result()
        monkeypatch.undo()
    assert called == []
    assert result.return_value == "the audit log cannot be written: No space left on device"
    assert [call.outcome for call in result.calls] == ["failed"]
    assert verify(log.read_bytes().splitlines(keepends=True)).intact


def test_r36_a_result_that_cannot_be_recorded_fails_the_call(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(_: Any) -> int:
        monkeypatch.setattr(os, "write", full)
        return 1

    with made(log, tools=[tool(fill)]) as sandbox, pytest.warns(AuditWarning):
        result = sandbox.run("try { return await ask({}) } catch (error) { return error.name + ': ' + error.message }")
    monkeypatch.undo()
    assert result.return_value == "ToolFailedError: the audit log cannot be written: No space left on device"


@pytest.mark.parametrize("place", ["no/such/folder/a.log", "", "/dev/null"])
def test_a_log_that_cannot_be_opened_is_an_error_at_once(tmp_path: Path, place: str) -> None:
    with pytest.raises(AuditError):
        AuditLog(tmp_path / place)


def test_a_file_that_is_no_log_is_left_alone(log: Path) -> None:
    log.write_text("dear diary\n")
    with pytest.raises(AuditError, match="does not end with a record of ours"):
        AuditLog(log)
    assert log.read_text() == "dear diary\n"


def test_only_its_owner_may_read_a_new_log(log: Path) -> None:
    AuditLog(log).close()
    assert log.stat().st_mode & 0o777 == 0o600


def test_short_keys_are_refused(log: Path) -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        AuditLog(log, key=b"short")


# --- the chain -------------------------------------------------------------------------------------------------


def written(path: Path, count: int = 6, key: bytes | None = None) -> list[bytes]:
    with AuditLog(path, key=key) as log:
        for number in range(count):
            log.write({"type": "note", "number": number}, durable=number == 0)
    return path.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize("key", [None, KEY])
def test_seals_are_what_the_documentation_says(log: Path, key: bytes | None) -> None:
    """Worked out here again: the digest, or the HMAC, of a line up to its seal; each line names the seal before."""
    before = "0" * 64
    for line in written(log, 3, key):
        record = json.loads(line)
        assert record["prev"] == before
        name = "sha256" if key is None else "hmac"
        body, _, rest = line.rpartition(f',"{name}":'.encode())
        before = json.loads(rest.decode().removesuffix("}\n"))
        expected = hashlib.sha256(body) if key is None else hmac.new(key, body, hashlib.sha256)
        assert before == expected.hexdigest()


def test_a_log_is_continued_by_the_next_writer(log: Path) -> None:
    first, second = written(log, 2)[-1], written(log, 2)
    assert json.loads(second[2])["prev"] == json.loads(first)["sha256"]
    found = verify(second)
    assert (found.records, found.flaws) == (4, ())
    assert found.head == json.loads(second[-1])["sha256"]


def edits(lines: list[bytes]) -> Iterator[tuple[str, list[bytes], int]]:
    """Each way to tamper, and the line at which it shows."""
    yield "edited", [*lines[:2], lines[2].replace(b'"number":2', b'"number":7'), *lines[3:]], 3
    yield "cut in the middle", [*lines[:2], *lines[3:]], 3
    yield "cut at the beginning", lines[2:], 1
    yield "moved", [lines[0], lines[2], lines[1], *lines[3:]], 2
    yield "repeated", [*lines[:3], lines[2], *lines[3:]], 4
    yield "added", [*lines[:2], b'{"v":1,"type":"note","prev":"' + b"0" * 64 + b'","sha256":"' + b"0" * 64 + b'"}\n', *lines[2:]], 3  # fmt: skip
    yield "another text", [*lines[:2], b"hello\n", *lines[2:]], 3
    yield "half a line", [*lines[:-1], lines[-1][:50]], 6
    yield "seal changed", [*lines[:-1], lines[-1][:-10] + b"0000000" + lines[-1][-3:]], 6


@pytest.mark.parametrize("way", range(9))
@pytest.mark.parametrize("key", [None, KEY])
def test_r36_tampering_is_found_where_it_is(log: Path, key: bytes | None, way: int) -> None:
    lines = written(log, 6, key)
    assert verify(lines, key=key).intact
    _, tampered, place = list(edits(lines))[way]
    found = verify(tampered, key=key)
    assert not found.intact
    assert found.flaws[0].line == place


def rewritten(lines: list[bytes], key: bytes | None) -> list[bytes]:
    """The log with one record changed and everything after it sealed anew, as somebody with that key could."""
    from amla_sandbox.audit._chain import sealed

    before, made = "0" * 64, []
    for old in lines:
        record = {name: value for name, value in json.loads(old).items() if name not in ("v", "prev", "sha256", "hmac")}
        line, before = sealed({**record, "number": 99}, before, key)
        made.append(line)
    return made


def test_r36_without_key_or_head_a_log_written_anew_looks_intact_and_with_either_it_does_not(log: Path) -> None:
    lines = written(log)
    head = verify(lines).head
    assert verify(rewritten(lines, None)).intact
    assert not verify(rewritten(lines, None), head=head).intact
    log.unlink()
    keyed = written(log, key=KEY)
    assert not verify(rewritten(keyed, None), key=KEY).intact
    assert not verify(rewritten(keyed, b"another key, also long"), key=KEY).intact


def test_r36_a_cut_at_the_end_shows_against_a_head_that_was_kept(log: Path) -> None:
    lines = written(log)
    head = verify(lines).head
    assert verify(lines[:-1]).intact
    found = verify(lines[:-1], head=head)
    assert [flaw.line for flaw in found.flaws] == [0]
    grown = [*lines, *written(log)[6:]]
    later = verify(grown, head=head)
    assert later.intact
    assert "6 records were written after that head" in later.notes[0].text


def test_runs_and_calls_without_an_end_are_told(log: Path) -> None:
    with made(log) as sandbox:
        sandbox.run("await ask({n: 1})")
    lines = log.read_bytes().splitlines(keepends=True)
    assert verify(lines).notes == ()
    notes = verify(lines[:2]).notes
    assert [note.line for note in notes] == [2, 0]
    assert "what came of this call is not recorded" in notes[0].text


def test_a_torn_line_is_survived_and_told(log: Path) -> None:
    """A writer that died in the middle of a record leaves half of one; the next says so, and nothing is lost."""
    lines = written(log, 3)
    with log.open("ab") as half:
        half.write(b'{"v":1,"time":"20')
    assert [flaw.line for flaw in verify(log.read_bytes().splitlines(keepends=True)).flaws] == [4]
    after = written(log, 2)
    assert after[:3] == lines
    assert after[3] == b'{"v":1,"time":"20\n'
    assert json.loads(after[4])["type"] == "torn"
    found = verify(after)
    assert (found.flaws, [note.line for note in found.notes]) == ((), [4])


def test_a_torn_first_line(log: Path) -> None:
    log.write_bytes(b'{"v":1,')
    assert verify(written(log, 1)).intact


def test_a_failed_write_leaves_no_half_record(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with AuditLog(log) as audit:
        audit.write({"type": "note"})
        before, write = log.read_bytes(), os.write
        monkeypatch.setattr(os, "write", lambda fd, data: write(fd, bytes(data)[:10]) if len(data) > 100 else full())
        with pytest.raises(AuditError):
            audit.write({"type": "note", "text": "x" * 95})
        monkeypatch.undo()
        assert log.read_bytes() == before
        audit.write({"type": "note"})
    assert verify(log.read_bytes().splitlines(keepends=True)).intact


@pytest.mark.parametrize("change", ["cut", "edit"])
def test_r36_a_log_that_changes_under_its_writer_takes_no_more(log: Path, change: str) -> None:
    with AuditLog(log) as audit:
        audit.write({"type": "note"})
        audit.write({"type": "note"})
        if change == "cut":
            os.truncate(log, len(log.read_bytes().splitlines(keepends=True)[0]))
        else:
            with log.open("r+b") as opened:
                opened.seek(-20, os.SEEK_END)
                opened.write(b"0000")
        with pytest.raises(AuditError, match="changed or cut"):
            audit.write({"type": "note"})


def test_a_log_with_another_key_is_not_continued(log: Path) -> None:
    written(log, 1, KEY)
    for key in (None, b"another key, also long"):
        with pytest.raises(AuditError, match="another key"):
            AuditLog(log, key=key)


def test_a_log_that_was_renamed_is_begun_anew_and_names_the_old_head(log: Path, tmp_path: Path) -> None:
    with AuditLog(log) as audit:
        audit.write({"type": "note"})
        head = audit.head
        log.rename(tmp_path / "audit.1")
        audit.write({"type": "note"})
        audit.write({"type": "note"})
    lines = log.read_bytes().splitlines(keepends=True)
    assert verify(lines).intact
    assert [json.loads(line).get("after") for line in lines] == [head, None]


WRITER = """
import sys; from amla_sandbox.audit import AuditLog
with AuditLog(sys.argv[1]) as log:
    for n in range(60): log.write({"type": "note", "writer": sys.argv[2], "n": n, "text": "x" * (n * 50)})
"""


def test_r36_processes_and_threads_append_one_chain(log: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(log), str(n)]) for n in range(3)]

    def append() -> None:
        with AuditLog(log) as audit:
            for _ in range(30):
                audit.write({"type": "note", "writer": "thread"})

    threads = [threading.Thread(target=append) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    found = verify(log.read_bytes().splitlines(keepends=True))
    assert (found.records, found.flaws) == (270, ())


# --- collectors --------------------------------------------------------------------------------------------------


def test_a_collector_keeps_entries_in_memory() -> None:
    with Sandbox(
        tools=[echo()],
        capabilities=[MethodCapability("ask")],
        audit_config=AuditConfig(
            agent_id="agent", trace_id="trace", custom_enricher=lambda data: {**data, "region": "x"}
        ),
    ) as sandbox:
        sandbox.execute("await ask({n: 1})")
        collector = sandbox.audit_collector
        assert collector is not None
        collector.new_turn()
        sandbox.execute("1")
    assert [entry.type for entry in collector.entries] == ["run", "call", "result", "end", "run", "end"]
    assert len(collector) == 6
    (call,) = collector.get_entries(entry_type="call")
    assert (call.agent_id, call.trace_id, call.turn_id, call.data["region"]) == ("agent", "trace", 0, "x")
    assert json.loads(call.to_jsonl())["tool"] == "ask"
    assert collector.entries[-1].turn_id == 1


def test_a_collector_writes_a_log_too(log: Path) -> None:
    from datetime import UTC, datetime

    with AuditCollector(AuditConfig(output_path=log, agent_id="agent")) as collector:
        collector.add_entry(AuditEntry("event", "session", datetime.now(UTC), {"n": 1}, "agent"))
        collector.add_entry(AuditEntry("event", "session", datetime.now(UTC)), write_to_file=False)
    assert [(record["type"], record["agent_id"]) for record in records(log)] == [("event", "agent")]
    assert verify(log.read_bytes().splitlines(keepends=True)).intact
