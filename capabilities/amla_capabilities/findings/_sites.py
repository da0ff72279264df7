"""AM4xx: tool calls found in scripts."""

from __future__ import annotations

from ._finding import FindingKind

__all__ = ["SITES"]

SITES: tuple[FindingKind, ...] = (
    FindingKind(
        "AM401",
        "The policy denies the call",
        "error",
        "The script calls a tool with arguments that the policy denies, whatever becomes of those that are not "
        "constants: a constraint is violated, nothing grants the tool, or its budget allows no such call.",
        "Change the call, or the policy; the finding names the constraint and the value.",
        example="await pay({ amount: 500 });\n",
        mended="await pay({ amount: 50 });\n",
        language="js",
    ),
    FindingKind(
        "AM402",
        "The call does not fit the tool",
        "error",
        "The call fails before the policy is asked: a parameter has another name or type, one that is required is"
        " missing, or there is something else than one object of named arguments.",
        "Write the call as `amla tools NAME` shows the tool.",
        example="await pay({ amuont: 50 });\n",
        mended="await pay({ amount: 50 });\n",
        language="js",
    ),
    FindingKind(
        "AM403",
        "There is no such tool",
        "error",
        "The script calls something that is neither declared in the manifest nor defined by the script or the sandbox.",
        "Correct the name, or declare the tool.",
        example="await payy({ amount: 50 });\n",
        mended="await pay({ amount: 50 });\n",
        language="js",
    ),
    FindingKind(
        "AM404",
        "The call is decided at run time",
        "note",
        "Whether the call is allowed depends on more than the script's text: on an argument that is not a "
        "constant, on a budget, on the time, or on a person. The finding names the constraints that are open.",
        "Nothing, if the policy is as it should be; what a run may do is decided when it does it.",
        example="await pay({ amount: Number(process.argv[2]) });\n",
        mended="await pay({ amount: 50 });\n",
        language="js",
    ),
    FindingKind(
        "AM405",
        "Which tool is called cannot be told",
        "note",
        "The script calls a tool whose name it makes when it runs, or runs code that is not part of it: "
        "`tools.call(name)`, `eval`, another file, a command in a variable.",
        "Write the tool's name where it is called.",
        example="await tools.call(process.argv[2], { amount: 50 });\n",
        mended="await pay({ amount: 50 });\n",
        language="js",
    ),
    FindingKind(
        "AM406",
        "A name of the script hides a tool",
        "note",
        "What looks like a call of a tool calls something of the script, which has the tool's name, so nothing "
        "can be said of the call.",
        "Give the script's own variable or function another name.",
        example="const pay = (order) => console.log(order.amount);\npay({ amount: 50 });\n",
        mended="const show = (order) => console.log(order.amount);\nshow({ amount: 50 });\n",
        language="js",
    ),
    FindingKind(
        "AM407",
        "The script cannot be parsed",
        "error",
        "The script is no JavaScript, TypeScript or shell script, or one that is too large to look at, so its "
        "calls are not known. The check ends with status 2.",
        "Correct the place that the finding shows.",
        example="await pay({ amount: 50 );\n",
        mended="await pay({ amount: 50 });\n",
        language="js",
        can_suppress=False,
    ),
)
