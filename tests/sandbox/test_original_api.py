"""What users of the product next door rely on works as it is documented there, claim by claim."""

from __future__ import annotations

import json
from typing import Any

import pytest

import amla_sandbox
from amla_sandbox import (
    CallLimitExceededError,
    CapabilityError,
    ConstraintSet,
    ExecutionError,
    ExecutionResult,
    MethodCapability,
    Param,
    Sandbox,
    SandboxTool,
    ToolCallCap,
    ToolDefinition,
    UnsupportedLanguageError,
    capability_from_function,
    create_sandbox_tool,
    create_tool_handler,
    format_tool_descriptions_js,
    from_anthropic_tools,
    from_claude,
    from_openai,
    from_openai_tools,
    method_matches_pattern,
    pattern_is_subset,
    precompile_module,
    tool_from_function,
)


def get_weather(city: str) -> dict[str, Any]:
    """The weather of a city."""
    return {"city": city, "temp": 72}


def transfer_money(to: str, amount: float, currency: str) -> str:
    """Send money."""
    return f"{amount:g} {currency} to {to}"


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"method": method, **params}


def test_every_public_name_can_be_imported() -> None:
    for name in amla_sandbox.__all__:
        assert getattr(amla_sandbox, name) is not None
    assert set(amla_sandbox.__all__) <= set(dir(amla_sandbox))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = amla_sandbox.no_such_name  # type: ignore[attr-defined]


# --- create_sandbox_tool -------------------------------------------------------------------------------


def test_it_needs_no_arguments() -> None:
    with create_sandbox_tool() as sandbox:
        assert sandbox.run("console.log('hello'.toUpperCase())", language="javascript") == "HELLO"


def test_functions_become_tools() -> None:
    with create_sandbox_tool(tools=[get_weather]) as sandbox:
        script = "const w = await get_weather({city: 'SF'}); console.log(w);"
        assert sandbox.run(script, language="javascript") == "{ city: 'SF', temp: 72 }"


@pytest.fixture
def bank() -> Any:
    with create_sandbox_tool(
        tools=[transfer_money],
        constraints={"transfer_money": {"amount": "<=1000", "currency": ["USD", "EUR"]}},
        max_calls={"transfer_money": 2},
    ) as sandbox:
        yield sandbox


def test_a_call_within_the_constraints_is_made(bank: SandboxTool) -> None:
    assert bank.run("return await transfer_money({to: 'alice', amount: 500, currency: 'USD'})") == "500 USD to alice"


@pytest.mark.parametrize("wrong", ["{to: 'a', amount: 1001, currency: 'USD'}", "{to: 'a', amount: 5, currency: 'GBP'}"])
def test_a_call_outside_the_constraints_is_denied(bank: SandboxTool, wrong: str) -> None:
    output = bank.run(f"return await transfer_money({wrong})")
    assert output.startswith("[error]\nToolDeniedError: transfer_money"), output


def test_the_last_call_is_the_last(bank: SandboxTool) -> None:
    call = "await transfer_money({to: 'a', amount: 1, currency: 'EUR'})"
    assert bank.run(f"{call}; {call}; 'done'") == "(no output)"
    assert "ToolLimitError" in bank.run(call)


SPELLINGS = {
    "<=10": (10, 11),
    "<10": (9, 10),
    ">=0": (0, -1),
    ">0": (1, 0),
    "==5": (5, 6),
    "!=5": (6, 5),
}


@pytest.mark.parametrize(("spelling", "values"), SPELLINGS.items(), ids=SPELLINGS)
def test_string_constraints_on_numbers(spelling: str, values: tuple[int, int]) -> None:
    def tool(x: int) -> int:
        return x

    right, wrong = values
    with create_sandbox_tool(tools=[tool], constraints={"tool": {"x": spelling}}) as sandbox:
        assert sandbox.run(f"return await tool({{x: {right}}})") == str(right)
        assert "ToolDeniedError" in sandbox.run(f"return await tool({{x: {wrong}}})")


def test_a_prefix_constraint() -> None:
    def get(path: str) -> str:
        return path

    with create_sandbox_tool(tools=[get], constraints={"get": {"path": "startswith:/api/"}}) as sandbox:
        assert sandbox.run("return await get({path: '/api/users'})") == "/api/users"
        assert "ToolDeniedError" in sandbox.run("await get({path: '/admin'})")
        assert "ToolDeniedError" in sandbox.run("await get({path: '/api/../admin'})")


def test_a_constraint_that_does_not_parse_is_an_error_at_once() -> None:
    with pytest.raises(ValueError, match="amount"):
        create_sandbox_tool(tools=[transfer_money], constraints={"transfer_money": {"amount": "=<1000"}})


@pytest.mark.parametrize("option", [{"constraints": {"transfer_mony": {}}}, {"max_calls": {"transfer_mony": 1}}])
def test_a_name_that_is_no_tools_is_an_error_that_names_the_nearest(option: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"transfer_mony.*transfer_money"):
        create_sandbox_tool(tools=[transfer_money], **option)


def test_one_number_of_calls_holds_for_each_tool() -> None:
    with create_sandbox_tool(tools=[get_weather, transfer_money], max_calls=1) as sandbox:
        both = "await get_weather({city: 'x'}); await transfer_money({to: 'a', amount: 1, currency: 'X'})"
        assert sandbox.run(both) == "(no output)"
        assert "ToolLimitError" in sandbox.run("await get_weather({city: 'x'})")


def test_a_hundred_calls_unless_told_otherwise() -> None:
    with create_sandbox_tool(tools=[get_weather]) as sandbox:
        counted = "let n = 0; try { for (;;) { await get_weather({city: 'x'}); n++ } } catch { } return n"
        assert sandbox.run(counted) == "100"


# --- what run says -------------------------------------------------------------------------------------

TEXTS = {
    "nothing": ("1 + 1", "(no output)"),
    "a string bare": ("return 'a b'", "a b"),
    "an object as JSON": ("return {a: [1, null]}", '{"a":[1,null]}'),
    "undefined": ("return undefined", "(no output)"),
    "output": ("console.log('a'); console.log({b: 1})", "a\n{ b: 1 }"),
    "stderr": ("console.error('bad')", "[stderr]\nbad"),
    "both": ("console.log('a'); console.error('b')", "a\n[stderr]\nb"),
    "error": ("\nmissing.x", "[error]\nReferenceError: missing is not defined\n    at script.js:2:1: missing.x"),
    "output and error": ("console.log('a'); null.x", None),
    "status": ("process.exit(3)", "[exit status 3]"),
}


@pytest.mark.parametrize(("script", "text"), TEXTS.values(), ids=TEXTS)
def test_what_a_model_reads(script: str, text: str | None) -> None:
    with create_sandbox_tool() as sandbox:
        said = sandbox.run(script)
    if text is None:
        assert said.startswith("a\n[error]\nTypeError: ")
    else:
        assert said == text


def test_the_last_expression_is_the_value_and_prints_nothing() -> None:
    with create_sandbox_tool() as sandbox:
        result = sandbox.execute("const a = [1, 2]; a.map(x => x * 2)")
        assert (result.return_value, result.stdout, result.success) == ([2, 4], "", True)


def test_languages_by_name() -> None:
    with create_sandbox_tool() as sandbox:
        sandbox.execute("fs.writeFileSync('data.txt', 'b\\na\\n')")
        assert sandbox.run("sort data.txt | head -1", language="shell") == "a"
        assert sandbox.run("return 1", language="JavaScript") == "1"
        with pytest.raises(UnsupportedLanguageError, match="no language 'python'"):
            sandbox.run("1", language="python")
        with pytest.raises(TypeError, match="the code of a script is a str, not bytes"):
            sandbox.run(b"1")  # type: ignore[arg-type]


def test_shell_calls_tools() -> None:
    """What a tool returns is JSON on standard output, for jq and others to take."""
    with create_sandbox_tool(tools=[get_weather]) as sandbox:
        result = sandbox.shell("tool get_weather --city SF | jq -c .")
        assert (result.stdout, result.success, result.exit_code) == (
            f"{json.dumps(get_weather('SF'), separators=(',', ':'))}\n",
            True,
            0,
        )
        assert sandbox.shell("grep x < /dev/null").success is False


# --- Sandbox --------------------------------------------------------------------------------------------


def test_constraints_of_a_pattern() -> None:
    with Sandbox(
        capabilities=[
            ToolCallCap(
                method_pattern="stripe/charges/*",
                constraints=ConstraintSet([Param("amount") <= 10000, Param("currency").is_in(["USD", "EUR"])]),
                max_calls=100,
            )
        ],
        tool_handler=answer,
    ) as sandbox:
        script = "return await stripe.charges.create({amount: 5, currency: 'USD'})"
        assert sandbox.run(script).return_value == {"method": "stripe/charges/create", "amount": 5, "currency": "USD"}
        for denied in ("create({amount: 10001, currency: 'USD'})", "create({amount: 5})", "create.all({amount: 5})"):
            result = sandbox.run(f"await stripe.charges.{denied}")
            assert result.failure is not None and result.failure.name == "ToolDeniedError", result.error
            assert result.exit_code == 77


def test_execute_returns_standard_output() -> None:
    with Sandbox() as sandbox:
        assert sandbox.execute("console.log(1); console.error(2)") == "1\n"
        assert sandbox.last_stderr == "2\n"


def test_execute_raises_what_a_script_dies_of() -> None:
    with Sandbox() as sandbox:
        with pytest.raises(ExecutionError, match="boom") as caught:
            sandbox.execute("console.log('before'); throw new Error('boom')")
        assert caught.value.result.stdout == "before\n"
        with pytest.raises(ExecutionError, match="status 3"):
            sandbox.execute("process.exit(3)")


def test_execute_streams_text() -> None:
    pieces: list[str] = []
    with Sandbox() as sandbox:
        output = sandbox.execute("process.stdout.write('ü'); console.error('x'); console.log('z')", pieces.append)
    assert "".join(pieces) == output == "üz\n"


def test_the_handler_gets_names_and_arguments() -> None:
    with Sandbox(
        tools=[ToolDefinition("math/add", "Add.", {"type": "object", "properties": {"a": {"type": "number"}}})],
        capabilities=[MethodCapability("**")],
        tool_handler=answer,
    ) as sandbox:
        assert sandbox.run("return await math.add({a: 1})").return_value == {"method": "math/add", "a": 1}
        assert sandbox.run("return await math_add({a: 1})").return_value == {"method": "math/add", "a": 1}


@pytest.mark.parametrize("prefix", ["", "mcp:"])
def test_patterns_with_and_without_the_prefix_mean_the_same(prefix: str) -> None:
    with Sandbox(capabilities=[MethodCapability(f"{prefix}files/*")], tool_handler=answer) as sandbox:
        assert sandbox.can_call("files/read", {}) and sandbox.can_call("mcp:files/read")
        assert not sandbox.can_call("files/deep/read")
        assert sandbox.run("return (await files.read({})).method").return_value == "files/read"


def test_nested_names_and_their_spellings() -> None:
    with Sandbox(capabilities=[MethodCapability("stripe/**")], tool_handler=answer) as sandbox:
        for call in ("stripe.charges.create({})", "tools.call('stripe/charges/create', {})"):
            assert sandbox.run(f"return (await {call}).method").return_value == "stripe/charges/create"


@pytest.mark.parametrize("arguments", ["'SF'", "['SF']", "1", "null", "{city: 'SF'}, 1"])
def test_tools_take_one_object(arguments: str) -> None:
    with create_sandbox_tool(tools=[get_weather]) as sandbox:
        result = sandbox.execute(f"await get_weather({arguments})")
        assert result.failure is not None
        assert (result.failure.name, result.failure.code) == ("ToolArgumentError", "ERR_TOOL_ARGUMENT")
        assert "one object of named arguments" in result.failure.message


def test_no_capabilities_allow_nothing() -> None:
    with Sandbox(tools=[tool_from_function(get_weather)]) as sandbox:
        assert not sandbox.can_call("get_weather", {"city": "x"})
        assert sandbox.run("await get_weather({city: 'x'})").exit_code == 77


def test_counters() -> None:
    limited, free = MethodCapability("limited", max_calls=3), MethodCapability("free")
    with Sandbox(capabilities=[limited, free], tool_handler=answer) as sandbox:
        assert sandbox.get_capabilities() == [limited, free]
        sandbox.run("await limited({}); await free({})")
        assert sandbox.get_remaining_calls("cap:tool-call:limited") == 2
        assert sandbox.get_remaining_calls("cap:tool-call:free") is None
        assert sandbox.get_remaining_calls("cap:tool-call:other") is None
        assert sandbox.get_call_counts() == {"cap:tool-call:limited": 2}
        sandbox.run("await limited({}); await limited({})")
        assert not sandbox.can_call("limited")


def test_counters_of_equal_keys_are_added_up() -> None:
    first, second = MethodCapability("x", max_calls=1), MethodCapability("x", max_calls=5)
    with Sandbox(capabilities=[first, second], tool_handler=answer) as sandbox:
        assert sandbox.get_call_counts() == {"cap:tool-call:x": 6}
        sandbox.run("await x({})")
        assert sandbox.get_remaining_calls("cap:tool-call:x") == 5
        assert sandbox.run("await x({})").exit_code == 77  # the first one decides, and it is used up


def test_failed_calls_are_charged() -> None:
    """A budget is not refilled by failure."""

    def fails(method: str, params: dict[str, Any]) -> None:
        raise ValueError("no")

    with Sandbox(capabilities=[MethodCapability("x", max_calls=2)], tool_handler=fails) as sandbox:
        sandbox.run("try { await x({}) } catch {}")
        assert sandbox.get_remaining_calls("cap:tool-call:x") == 1


def test_files_from_the_host() -> None:
    with Sandbox() as sandbox:
        sandbox.fs.write("/workspace/in/a.txt", "hello")
        assert sandbox.execute("console.log(await fs.readFile('/workspace/in/a.txt', 'utf8'))") == "hello\n"
        sandbox.execute("await fs.writeFile('/tmp/b.bin', new Uint8Array([0, 255]))")
        assert sandbox.fs.read("/tmp/b.bin") == b"\x00\xff"


@pytest.mark.parametrize("path", ["/etc/x", "/x", "/bin/x"])
def test_only_two_places_can_be_written(path: str) -> None:
    with Sandbox() as sandbox:
        script = f"try {{ await fs.writeFile('{path}', '1') }} catch (error) {{ return error.code }}"
        assert sandbox.run(script).return_value == "EACCES"


def test_files_stay_and_variables_do_not() -> None:
    with Sandbox() as sandbox:
        sandbox.run("globalThis.x = 1; await fs.writeFile('x', '1')")
        assert sandbox.run("return [typeof x, await fs.readFile('x', 'utf8')]").return_value == ["undefined", "1"]


# --- results -----------------------------------------------------------------------------------------------


def test_the_fields_of_a_result() -> None:
    with SandboxTool.from_functions([get_weather]) as sandbox:
        result = sandbox.execute("console.log('o'); console.error('e'); await get_weather({city: 'x'}); return {a: 1}")
    assert isinstance(result, ExecutionResult)
    assert (result.stdout, result.stderr, result.return_value) == ('o\n{"a":1}\n', "e\n", {"a": 1})
    assert (result.error, result.success, result.exit_code) == (None, True, 0)
    [call] = result.calls
    assert (call.tool, dict(call.arguments or {}), call.outcome) == ("get_weather", {"city": "x"}, "ok")
    usage = result.usage
    assert usage.calls == 1 and usage.output_bytes == len(result.stdout + result.stderr)
    assert 0 < usage.cpu_seconds <= usage.wall_seconds and usage.memory_bytes > 1_000_000
    assert str(result) == result.to_tool_message() == 'o\n{"a":1}\n[stderr]\ne'


def test_a_failed_result() -> None:
    with SandboxTool.from_functions([]) as sandbox:
        result = sandbox.execute("console.log('before')\nnull.x")
    assert (result.success, result.exit_code, result.stdout) == (False, 1, "before\n")
    failure = result.failure
    assert failure is not None
    assert (failure.name, failure.file, failure.line, failure.source_line) == ("TypeError", "script.js", 2, "null.x")
    assert result.error == failure.text


# --- the rest of the surface ---------------------------------------------------------------------------------


def test_from_functions_with_and_without_capabilities() -> None:
    call = "return (await get_weather({city: 'x'})).temp"
    with SandboxTool.from_functions([get_weather]) as sandbox:
        assert sandbox.run(call) == "72"
    with SandboxTool.from_functions([get_weather], capabilities=[]) as sandbox:
        assert "ToolDeniedError" in sandbox.run(call)
    once = capability_from_function(get_weather, max_calls=1)
    with SandboxTool.from_functions([get_weather], capabilities=[once]) as sandbox:
        assert sandbox.run(call) == "72"
        assert "ToolLimitError" in sandbox.run(call)


def test_descriptions_and_prompt() -> None:
    with SandboxTool.from_functions([get_weather]) as sandbox:
        described = sandbox.get_tool_descriptions()
        assert described == format_tool_descriptions_js([get_weather])
        assert "get_weather({city: string})" in described and "The weather of a city." in described
        prompt = sandbox.get_system_prompt()
        assert described.strip() in prompt and "await" in prompt
        assert described.strip() not in sandbox.get_system_prompt(include_tools=False)


def test_what_the_prompt_says_is_so() -> None:
    """Each of its claims, tried."""
    with SandboxTool.from_functions([get_weather]) as sandbox:
        claims = {
            "return 'text'": "text",
            "return {a: 1}": '{"a":1}',
            "const [a, b] = await Promise.all([get_weather({city: 'a'}), get_weather({city: 'b'})]); return b.city": "b",
            "try { await get_weather({}) } catch (error) { return error instanceof Error }": "true",
            "await fs.writeFile('/tmp/a', 'x'); return fs.readFileSync('/tmp/a', 'utf8')": "x",
            "return process.cwd()": "/workspace",
            "import path from 'path'; return path.basename('/a/b')": "b",
            "const n: number = 3; return n": "3",
        }
        for module in ("path", "util", "url", "crypto", "events", "assert", "buffer"):
            claims[f"return typeof require('{module}')"] = "object"
        claims["return typeof require('events')"] = claims["return typeof require('assert')"] = "function"
        for script, said in claims.items():
            assert sandbox.run(script) == said, script


def test_create_tool_handler_routes_by_name() -> None:
    handler = create_tool_handler([get_weather, transfer_money])
    assert handler("get_weather", {"city": "SF"}) == {"city": "SF", "temp": 72}
    with pytest.raises(ValueError, match=r"get_wether.*get_weather"):
        handler("get_wether", {})
    with Sandbox(capabilities=[MethodCapability("get_weather")], tool_handler=handler) as sandbox:
        assert sandbox.run("return (await get_weather({city: 'SF'})).temp").return_value == 72


OPENAI = [{"type": "function", "function": {"name": "add", "parameters": {"properties": {"a": {"type": "integer"}}}}}]
ANTHROPIC = [{"name": "add", "input_schema": {"type": "object", "properties": {"a": {"type": "integer"}}}}]


@pytest.mark.parametrize(
    ("read", "tools"),
    [(from_openai_tools, OPENAI), (from_openai, OPENAI), (from_anthropic_tools, ANTHROPIC), (from_claude, ANTHROPIC)],
)
def test_tools_of_other_vendors(read: Any, tools: Any) -> None:
    functions, definitions = read(tools, handlers={"add": lambda a: a + 1})
    assert [definition.name for definition in definitions] == ["add"]
    with create_sandbox_tool(tools=functions) as sandbox:
        assert sandbox.run("return await add({a: 1})") == "2"


def test_langchain_tools_go_in_and_the_sandbox_goes_out_as_one() -> None:
    tools = pytest.importorskip("langchain_core.tools")

    @tools.tool
    def search(query: str) -> str:
        """Search the web."""
        return f"found {query}"

    functions, _ = amla_sandbox.from_langchain([search])
    with create_sandbox_tool(tools=functions) as sandbox:
        tool = sandbox.as_langchain_tool()
        assert isinstance(tool, tools.BaseTool)
        assert tool.invoke({"code": "return await search({query: 'x'})", "language": "javascript"}) == "found x"
        assert tool.invoke({"code": "1"}) == "(no output)"
        assert "search" in tool.description
        assert [each.name for each in sandbox.as_langchain_tools()] == ["sandbox_js", "sandbox_shell"]


def test_capabilities_by_themselves() -> None:
    capability = MethodCapability("stripe/*", ConstraintSet([Param("amount") <= 100]), max_calls=5)
    assert MethodCapability is ToolCallCap
    assert capability.key() == "cap:tool-call:stripe/*"
    capability.validate_call("stripe/charge", {"amount": 1})
    with pytest.raises(CapabilityError):
        capability.validate_call("stripe/charge", {"amount": 101})
    assert issubclass(CallLimitExceededError, CapabilityError)
    assert MethodCapability("stripe/charge", ConstraintSet([Param("amount") <= 50]), max_calls=5).is_subset_of(
        capability
    )
    assert MethodCapability.from_dict(capability.to_dict()).to_dict() == capability.to_dict()
    assert method_matches_pattern("a/b", "a/*") and not method_matches_pattern("a/b/c", "a/*")
    assert pattern_is_subset("a/b", "a/*") and not pattern_is_subset("a/**", "a/*")


def test_precompile_gives_the_file() -> None:
    assert precompile_module().is_file()


def test_a_constraint_on_a_parameter_that_does_not_exist_is_an_error() -> None:
    """A misspelt key must not quietly deny every call."""

    def exchange(amount: float) -> float:
        return amount

    with pytest.raises(ValueError, match="did you mean"):
        create_sandbox_tool(tools=[exchange], constraints={"exchange": {"amunt": "<5"}})
