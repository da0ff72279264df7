"""R29, R30, R31: files copied in, written out and copied back lead neither a script out nor the host astray."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from amla_sandbox._errors import CopyBackError
from amla_sandbox._host_tree import Snapshot, apply, copy_back, plan_copy_back, read_host_tree, write_host_tree
from amla_sandbox._tree import TreeEntry


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """What lies outside and must be neither read nor changed."""
    (tmp_path / "outside").mkdir()
    secret = tmp_path / "outside" / "secret"
    secret.write_text("secret")
    return secret


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """What is mounted."""
    top = tmp_path / "top"
    top.mkdir()
    (top / "a.txt").write_text("a")
    (top / "sub").mkdir()
    (top / "sub" / "b.txt").write_text("b")
    return top


def file(path: str, data: bytes = b"new", mode: int = 0o644) -> TreeEntry:
    return TreeEntry(path, "file", mode, data=data)


def paths(top: Path) -> list[str]:
    return sorted(str(path.relative_to(top)) for path in top.rglob("*"))


def with_changes(top: Path, *entries: TreeEntry) -> list[TreeEntry]:
    new = {entry.path for entry in entries}
    return [*(entry for entry in read_host_tree(top).entries if entry.path not in new), *entries]


# --- R29: copy-in -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "target",
    [
        "../outside/secret",
        "{outside}/secret",
        "sub/../../outside/secret",
        "..",
        "/",
        "/etc/passwd",
        "../missing",
        "../top2",
    ],
)
def test_r29_a_link_that_leads_out_is_reported_and_not_copied(top: Path, secret: Path, target: str):
    (top.parent / "top2").write_text("a name that only begins like the folder's")
    (top / "link").symlink_to(target.format(outside=secret.parent))
    tree = read_host_tree(top)
    assert tree.skipped == ["link: a link that leads out of the folder is not copied"]
    assert "link" not in {entry.path for entry in tree.entries}


def test_r29_a_link_through_another_that_leads_out(top: Path, secret: Path):
    (top / "way").symlink_to("../outside")
    (top / "link").symlink_to("way/secret")
    assert [each.partition(":")[0] for each in read_host_tree(top).skipped] == ["link", "way"]


def test_r29_links_that_stay_inside_are_links(top: Path):
    (top / "link").symlink_to("sub/../a.txt")
    (top / "sub" / "whole").symlink_to(top / "a.txt")
    (top / "dangling").symlink_to("nowhere")
    (top / "loop").symlink_to("loop")
    tree = read_host_tree(top)
    targets = {entry.path: entry.target for entry in tree.entries if entry.type == "symlink"}
    assert targets == {"link": "sub/../a.txt", "sub/whole": "../a.txt", "dangling": "nowhere", "loop": "loop"}
    assert not tree.skipped


def test_r29_pipes_sockets_and_devices_are_reported_and_not_opened(top: Path, monkeypatch: pytest.MonkeyPatch):
    os.mkfifo(top / "pipe")
    monkeypatch.chdir(top)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        expected = ["pipe: a pipe is not copied", "socket: a socket is not copied"]
        if os.geteuid() == 0:
            try:
                os.mknod(top / "device", 0o600 | stat.S_IFCHR, os.makedev(1, 3))
                expected.insert(0, "device: a device is not copied")
            except PermissionError:  # a container without that capability
                pass
        assert read_host_tree(top).skipped == expected


@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero"])
def test_r29_a_device_is_not_mounted(device: str):
    with pytest.raises(OSError, match="only files and folders"):
        read_host_tree(device)


@pytest.mark.parametrize("becomes", ["link", "pipe", "folder", "gone"])
def test_r29_a_file_that_is_replaced_between_look_and_open(
    top: Path, secret: Path, monkeypatch: pytest.MonkeyPatch, becomes: str
):
    """The swap happens right after the file's kind was looked at."""
    swaps: dict[str, Callable[[Path], None]] = {
        "link": lambda path: path.symlink_to(secret),
        "pipe": os.mkfifo,
        "folder": Path.mkdir,
        "gone": lambda path: None,
    }
    look = os.stat

    def racing(path: str, **more: object) -> os.stat_result:
        status = look(path, **more)
        if path == "a.txt" and stat.S_ISREG(status.st_mode):
            (top / "a.txt").unlink()
            swaps[becomes](top / "a.txt")
        return status

    monkeypatch.setattr(os, "stat", racing)
    tree = read_host_tree(top)
    assert len(tree.skipped) == 1
    assert tree.skipped[0].startswith("a.txt: ")
    assert b"secret" not in {entry.data for entry in tree.entries}


def test_r29_a_folder_that_is_replaced_by_a_link(top: Path, secret: Path, monkeypatch: pytest.MonkeyPatch):
    look = os.stat

    def racing(path: str, **more: object) -> os.stat_result:
        status = look(path, **more)
        if path == "sub" and stat.S_ISDIR(status.st_mode):
            (top / "sub").rename(top / "moved")
            (top / "sub").symlink_to(secret.parent)
        return status

    monkeypatch.setattr(os, "stat", racing)
    tree = read_host_tree(top)
    assert tree.skipped == ["sub: 'sub' is a link, and links are not followed"]
    assert b"secret" not in {entry.data for entry in tree.entries}


# --- R30: writes ---------------------------------------------------------------------------------


def test_r30_no_link_is_followed_on_the_way_to_an_export(top: Path, secret: Path):
    (top / "link").symlink_to(secret.parent)
    for way in ("link/new", "link/secret", "sub/../link/new"):
        with pytest.raises(OSError, match="'link' is a link"):
            write_host_tree(f"{top}/{way}", [file("")], overwrite=True)
    assert secret.read_text() == "secret"
    assert paths(secret.parent) == ["secret"]


@pytest.mark.parametrize("target", ["../outside/secret", "../outside", "nowhere"])
def test_r30_an_export_neither_follows_nor_replaces_a_link(top: Path, secret: Path, target: str):
    (top / "link").symlink_to(target)
    for tree in ([file("")], [TreeEntry("", "directory", 0o755), file("secret")]):
        with pytest.raises(FileExistsError):
            write_host_tree(top / "link", tree, overwrite=True)
    assert secret.read_text() == "secret"
    assert str((top / "link").readlink()) == target


def test_r30_a_link_that_appears_during_an_export_is_not_followed(
    top: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
):
    look = os.stat

    def racing(path: str, **more: object) -> os.stat_result:
        try:
            return look(path, **more)
        finally:
            if path == "out":
                (top / "out").symlink_to(secret)

    monkeypatch.setattr(os, "stat", racing)
    with pytest.raises(FileExistsError):
        write_host_tree(top / "out", [file("")])
    assert secret.read_text() == "secret"


def test_r30_no_link_is_made(top: Path):
    link = TreeEntry("passwd", "symlink", 0o777, target="/etc/passwd")
    assert write_host_tree(top / "out", [TreeEntry("", "directory", 0o755), link, file("f")]) == [
        "passwd: links are not made on the host"
    ]
    assert paths(top / "out") == ["f"]
    before = read_host_tree(top).snapshot()
    assert copy_back(str(top), before, with_changes(top, link)) == ["passwd: links are not made on the host"]
    assert not (top / "passwd").is_symlink()


def test_r30_no_set_user_id_is_made(top: Path):
    write_host_tree(top / "out", [file("", mode=0o7777)])
    before = read_host_tree(top).snapshot()
    copy_back(str(top), before, with_changes(top, file("new", mode=0o7755), file("a.txt", mode=0o6644)))
    for name in ("out", "new", "a.txt"):
        assert not stat.S_IMODE((top / name).stat().st_mode) & 0o7000


def _touch(path: Path) -> None:
    os.utime(path, ns=(1, 1))


def _same_stat_other_content(path: Path) -> None:
    status = path.stat()
    path.write_text("A")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def _replace(path: Path) -> None:
    path.rename(path.with_name("old"))
    path.write_text("a")


def _to_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("../outside/secret")


@pytest.mark.parametrize("change", [_touch, _same_stat_other_content, _replace, _to_link, Path.unlink])
@pytest.mark.parametrize("script", ["changes", "deletes"])
def test_r30_refused_where_the_host_changed_meanwhile(
    top: Path, secret: Path, change: Callable[[Path], None], script: str
):
    before = read_host_tree(top).snapshot()
    after = [entry for entry in read_host_tree(top).entries if entry.path != "a.txt"]
    if script == "changes":
        after.append(file("a.txt"))
    change(top / "a.txt")
    there = {path: (top / path).lstat() for path in paths(top)}
    with pytest.raises(CopyBackError, match=r"a\.txt: .* on the host"):
        copy_back(str(top), before, [*after, file("other.txt")], delete=True)
    assert {path: (top / path).lstat() for path in paths(top)} == there
    assert secret.read_text() == "secret"


def test_r30_refused_where_the_host_has_what_was_not_copied(top: Path):
    os.mkfifo(top / "pipe")
    before = read_host_tree(top).snapshot()
    (top / "late.txt").write_text("the host's")
    for name in ("pipe", "late.txt"):
        with pytest.raises(CopyBackError, match=f"{name}: was not copied in"):
            copy_back(str(top), before, with_changes(top, file(name)))
    assert (top / "late.txt").read_text() == "the host's"


def test_r30_a_folder_that_became_a_link_is_not_followed(top: Path, secret: Path):
    (secret.parent / "b.txt").write_text("b")
    before = read_host_tree(top).snapshot()
    after = with_changes(top, file("sub/b.txt"), file("sub/secret"))
    (top / "sub").rename(top / "moved")
    (top / "sub").symlink_to(secret.parent)
    with pytest.raises(CopyBackError, match="links are not followed"):
        copy_back(str(top), before, after)
    assert secret.read_text() == "secret"
    assert (secret.parent / "b.txt").read_text() == "b"


@pytest.mark.parametrize("how", ["link", "other folder"])
def test_r30_the_mounted_folder_itself_was_replaced(top: Path, secret: Path, how: str):
    before = read_host_tree(top).snapshot()
    after = with_changes(top, file("secret"))
    top.rename(top.with_name("moved"))
    if how == "link":
        top.symlink_to(secret.parent)
    else:
        top.mkdir()
    with pytest.raises(CopyBackError):
        copy_back(str(top), before, after)
    assert secret.read_text() == "secret"


@pytest.mark.parametrize("links", [True, False])
def test_r30_a_change_between_check_and_write_is_seen(top: Path, links: bool, monkeypatch: pytest.MonkeyPatch):
    before = read_host_tree(top).snapshot()
    plan = plan_copy_back(str(top), before, with_changes(top, file("a.txt"), file("other.txt")))
    (top / "a.txt").write_text("changed late")
    if not links:
        monkeypatch.setattr(os, "link", lambda *_, **__: Path("/none").stat())
    with pytest.raises(CopyBackError, match="changed on the host meanwhile"):
        apply(plan)
    assert (top / "a.txt").read_text() == "changed late"
    assert paths(top) == ["a.txt", "sub", "sub/b.txt"]


def test_r30_deletion_only_where_the_mount_says_so(top: Path):
    before = read_host_tree(top).snapshot()
    after = [entry for entry in read_host_tree(top).entries if entry.path == ""]
    copy_back(str(top), before, after)
    assert paths(top) == ["a.txt", "sub", "sub/b.txt"]
    copy_back(str(top), before, after, delete=True)
    assert paths(top) == []


@pytest.mark.parametrize(
    "path", ["../outside/secret", "sub/../../outside/secret", "/etc/passwd", "sub//b", "./a", "a\0"]
)
def test_r30_paths_that_lead_out_are_refused(top: Path, secret: Path, path: str):
    before = read_host_tree(top).snapshot()
    with pytest.raises(CopyBackError):
        copy_back(str(top), before, with_changes(top, file(path)))
    assert secret.read_text() == "secret"


# --- R31: what no script may change ----------------------------------------------------------------

GIT = [".git", ".GIT", ".Git", ".gi\u200ct", ".git ", ".git.", ".git::$INDEX_ALLOCATION", "GIT~1", "\uff0egit"]


@pytest.mark.parametrize("name", GIT)
@pytest.mark.parametrize("path", ["{}", "{}/hooks/pre-commit", "sub/{}/config"])
def test_r31_git_folders_are_refused(top: Path, name: str, path: str):
    before = read_host_tree(top).snapshot()
    made = path.format(name)
    with pytest.raises(CopyBackError, match="belongs to a git repository"):
        copy_back(str(top), before, with_changes(top, file("fine.txt"), file(made)))
    with pytest.raises(PermissionError):
        write_host_tree(top / "out", [TreeEntry("", "directory", 0o755), file(made)])
    assert paths(top) == ["a.txt", "sub", "sub/b.txt"]


@pytest.mark.parametrize("name", [".gitignore", ".github", "git", "x.git"])
def test_r31_names_that_only_look_alike_are_fine(top: Path, name: str):
    before = read_host_tree(top).snapshot()
    copy_back(str(top), before, with_changes(top, file(name)))
    assert (top / name).is_file()


def test_r31_a_change_in_a_repository_that_was_copied_in(top: Path):
    (top / ".git").mkdir()
    (top / ".git" / "config").write_text("[core]")
    before = read_host_tree(top).snapshot()
    assert copy_back(str(top), before, with_changes(top, file("a.txt"))) == []
    with pytest.raises(CopyBackError, match="git"):
        copy_back(str(top), read_host_tree(top).snapshot(), with_changes(top, file(".git/config")))
    without = [entry for entry in read_host_tree(top).entries if not entry.path.startswith(".git")]
    with pytest.raises(CopyBackError, match="git"):
        copy_back(str(top), read_host_tree(top).snapshot(), without, delete=True)


def _mounted(top: Path) -> tuple[Snapshot, list[TreeEntry]]:
    (top / "tools.toml").write_text("[sandbox]")
    return read_host_tree(top).snapshot(), with_changes(top, file("tools.toml"), file("a.txt"))


def test_r31_protected_files_are_refused_and_listed(top: Path):
    before, after = _mounted(top)
    protected = [top / "tools.toml", top / "audit.jsonl", top / "state"]
    after += [file("AUDIT.jsonl"), TreeEntry("state", "directory", 0o755), file("state/1")]
    with pytest.raises(CopyBackError) as raised:
        copy_back(str(top), before, after, protected=protected)
    listed = sorted(reason.partition(":")[0] for reason in raised.value.reasons)
    assert listed == ["AUDIT.jsonl", "state", "state/1", "tools.toml"]
    assert (top / "tools.toml").read_text() == "[sandbox]"
    assert (top / "a.txt").read_text() == "a"


@pytest.mark.parametrize("spelling", ["relative", "link", "hard link"])
def test_r31_protected_files_under_any_name(top: Path, monkeypatch: pytest.MonkeyPatch, spelling: str):
    before, after = _mounted(top)
    monkeypatch.chdir(top.parent)
    protected = {"relative": Path("top/../top/tools.toml"), "link": Path("link"), "hard link": Path("hard")}[spelling]
    Path("link").symlink_to("top/tools.toml")
    os.link("top/tools.toml", "hard")
    with pytest.raises(CopyBackError, match=r"tools\.toml"):
        copy_back(str(top), before, after, protected=[protected])


def test_r31_deleting_or_replacing_what_holds_a_protected_file(top: Path):
    before = read_host_tree(top).snapshot()
    without = [entry for entry in read_host_tree(top).entries if not entry.path.startswith("sub")]
    for after in (without, [*without, file("sub")]):
        with pytest.raises(CopyBackError, match=r"sub/b\.txt"):
            copy_back(str(top), before, after, delete=True, protected=[top / "sub" / "b.txt"])
    assert (top / "sub" / "b.txt").read_text() == "b"
