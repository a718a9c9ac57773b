"""A command as a target: spawn it, pump its three pipes, stop it politely, then kill all that it left.

The only module that uses subprocess, and the only one that depends on the platform. It is used and tested on Linux; on
other POSIX systems it falls back to asking every 20 ms whether the target ended, and cannot find a process that left
the group; on Windows, where pipes cannot be waited for like this, it refuses to start.

This module must never use a thread or a shell, never block without a deadline, never keep more of a target's output
than its limits say, and never leave a process, a zombie or a descriptor behind. It knows bytes and lines, not JSON.
"""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import shlex
import signal
import subprocess
import sys
import time
import weakref
from collections import deque
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from .target import Closed, Deadline, Dropped, Event, Exited, Line, Overflow, Partial, StartError

if sys.platform == "linux":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LINE_LIMIT: Final = 64 * 1024 * 1024
MARKER: Final = "MCP_TCK_PROCESS"

_CHUNK: Final = 65536
_AFTER_EXIT: Final = 1024 * 1024  # more than a pipe holds: what a dead leader can have left in one
_LATE_BYTES: Final = 8 * 1024 * 1024  # of late lines that stop() keeps
_LINE_COST: Final = 128  # what a kept line costs beside its bytes
_TAIL_BYTES: Final = 8192
_TAIL_LINES: Final = 20
_TICK: Final = 0.02  # between looks at a process that cannot be waited for
_EOF_GRACE: Final = 2.0
_TERM_GRACE: Final = 1.0
_KILL_GRACE: Final = 1.0
_ROUNDS: Final = 3  # of looking for processes that fork while they are being killed
_ORPHAN_GRACE: Final = 0.25  # for what cannot or will not see the end of input, or holds the pipes of a dead leader
_PIECE: Final = 0.25  # to read what was written, before the rest of a message follows
_HAS_WAITID: Final = hasattr(os, "waitid")
_PROMPT: Final = 0.0001  # to look for a reply without sleeping: being woken takes longer than many a reply
_CORES: Final = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


class Process:
    """A target that is a command; see Target for what each method promises.

    The environment is the user's with `env` over it; a relative command is looked up from `cwd`. The whole process
    group is killed at the end, and so is what left the group, still holds our pipes and has not cleared its
    environment. `line_limit` is in bytes; the line that breaks it may be longer by one read, 64 KiB.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        line_limit: int = LINE_LIMIT,
    ) -> None:
        self.command = shlex.join(argv)
        self.stdin_broken = False
        self._marker = os.urandom(16).hex()
        self._popen = _spawn(argv, {**os.environ, **(env or {}), MARKER: self._marker}, cwd)
        self.started = time.monotonic()
        self._pid = self._popen.pid
        self._pidfd = _pidfd(self._pid)
        self._finalizer = weakref.finalize(self, _last_resort, self._popen, self._pidfd, os.getpid())
        self._limit = line_limit
        self._events: deque[Event] = deque()
        self._outgoing: deque[memoryview] = deque()
        self._rest = bytearray()
        self._tail = b""
        self._dropping = False
        self._dropped = 0
        self._code: int | None = None
        self._read_after_exit = 0
        self._exit_told = False
        self._finished = False
        self._closing = False
        self._ended_input = 0.0
        self._signalled = False
        self._our_signal = 0
        self._pipes: dict[int, IO[bytes]] = {}
        self._stdin, self._stdout, self._stderr = map(
            self._take, (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        )
        self._selector = selectors.DefaultSelector()
        self._waits_to_write = False
        self._unended = False
        self._prompt = False
        for fd in (self._stdout, self._stderr, self._pidfd):
            if fd >= 0:
                self._selector.register(fd, selectors.EVENT_READ)

    # What is asked of it

    @property
    def alive(self) -> bool:
        """Whether the leader still runs; what it started may outlive it."""
        if self._code is None and not self._finished:
            self._look()
        return self._code is None

    @property
    def stderr_tail(self) -> str:
        """The end of stderr as read so far: at most 20 lines and 8 KiB, undecodable bytes replaced."""
        return "\n".join(self._tail.decode("utf-8", "replace").splitlines()[-_TAIL_LINES:]) if self._tail else ""

    @property
    def unfinished(self) -> bytes:
        """The beginning of a line whose end has not come, 64 KiB of it at most."""
        return bytes(self._rest[:_CHUNK])

    @property
    def how_ended(self) -> str:
        """How the leader ended, and whether it was our doing."""
        code = self._code
        if code is None:
            return "still running"
        if code >= 0:
            return f"exited with status {code}"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return f"stopped by the kit with {name}" if -code == self._our_signal else f"killed by {name}"

    # What is done to it

    def send(self, data: bytes) -> None:
        """Write what fits into the pipe now and queue the rest; bytes for a broken or closed stdin are dropped."""
        if self._stdin < 0 or self._closing:
            self.stdin_broken |= self._finished
            return
        if data:
            if self._unended:
                self._let_read()
            self._unended = not data.endswith(b"\n")
            self._outgoing.append(memoryview(data))
            if len(self._outgoing) == 1:
                self._write()

    def _let_read(self) -> None:
        """Give the target a moment to read the beginning of a message, so that pieces arrive as pieces."""
        if self._stdin >= 0:
            _wait_until_read(self._stdin, _PIECE)

    def close_stdin(self) -> None:
        """End the target's input once all that was sent is written."""
        if not self._closing:
            self._closing, self._ended_input = True, time.monotonic()
        if not self._outgoing:
            self._close_stdin()

    def receive(self, seconds: float) -> Event:
        """Wait for the next event for at most so long; while lines are queued here, stdout is not read."""
        began = time.monotonic()
        deadline = began + seconds
        if self._prompt and seconds > _PROMPT:
            self._watch(began + _PROMPT)
        while not self._events:
            if self._exit_told or self._finished:
                return Exited(self._code if self._code is not None else -signal.SIGKILL)
            left = deadline - time.monotonic()
            self._pump(max(left, 0.0))
            if left <= 0 and not self._events:
                return Deadline()
        # One that was slow is waited for asleep, and so is any where it needs the core that we run on.
        self._prompt = _CORES > 1 and time.monotonic() - began < 2 * _PROMPT
        return self._events.popleft()

    def _watch(self, until: float) -> None:
        """Look for output again and again, without sleeping."""
        while not self._events and self._stdout >= 0 and time.monotonic() < until:
            self._read_stdout()

    def stop(self, *, patient: bool = True) -> list[Event]:
        """End of input, then SIGTERM, then SIGKILL to the group: at most 2 + 1 + 1 s; answers what was still said.

        The two seconds count from when the input ended, which may be some time ago.
        """
        late: list[Event] = []
        if self._finished:
            return late
        self.close_stdin()
        left = max(0.0, self._ended_input + _EOF_GRACE - time.monotonic())
        kept = self._collect(late, max(left, _ORPHAN_GRACE) if patient and not self.stdin_broken else _ORPHAN_GRACE, 0)
        if not self._ended():
            self._signal(signal.SIGTERM)
            kept = self._collect(late, _TERM_GRACE if patient else _ORPHAN_GRACE, kept)
        self._finish(late, kept)
        if self._dropped and not self._dropping:
            late.append(Dropped(self._dropped))
        if self._code is not None:
            late.append(Exited(self._code))
        return late

    def kill(self) -> None:
        """SIGKILL to the group, without waiting for a last word."""
        if not self._finished:
            self._dropping = True
            self._events.clear()
            self._finish([], 0)

    # The loop

    def _pump(self, timeout: float) -> None:
        """Wait once, at most so long, and handle all that is ready; add to the queue only when it was empty."""
        if self._pidfd < 0 and self._code is None:
            timeout = min(timeout, _TICK)
        if self._code is not None and not self._exit_told:
            timeout = 0.0
        for key, _ in self._selector.select(timeout):
            if key.fd == self._stdout:
                self._read_stdout()
            elif key.fd == self._stderr:
                self._read_stderr()
            elif key.fd == self._stdin:
                self._write()
            elif key.fd == self._pidfd:
                self._look()
        if self._pidfd < 0 and self._code is None:
            self._look()
        if self._code is not None and not self._exit_told and not self._events:
            self._last_words()

    def _read_stdout(self) -> bool:
        """Read once; False when nothing was there. Only the new bytes are searched, so a slow writer costs no more."""
        try:
            chunk = os.read(self._stdout, _CHUNK)
        except BlockingIOError:
            return False
        if not chunk:
            if self._rest:
                self._events.append(Partial(bytes(self._rest), cut=self._signalled))
                self._rest.clear()
            self._events.append(Closed())
            self._stdout = self._release(self._stdout)
            return True
        if self._code is not None:
            self._read_after_exit += len(chunk)
        if self._dropping:
            self._dropped += len(chunk)
            return True
        first, *others = chunk.split(b"\n")
        self._rest += first
        if len(self._rest) > self._limit:
            self._events.append(Overflow(len(self._rest)))
            self._rest.clear()
            self._dropping = True
            self._signal(signal.SIGKILL)
        elif others:
            self._events.append(Line(bytes(self._rest)))
            self._rest = bytearray(others.pop())
            self._events.extend(map(Line, others))
        return True

    def _read_stderr(self) -> bool:
        """Read once and keep the end; False when nothing was there."""
        try:
            chunk = os.read(self._stderr, _CHUNK)
        except BlockingIOError:
            return False
        if chunk:
            self._tail = (self._tail + chunk)[-_TAIL_BYTES:]
        else:
            self._stderr = self._release(self._stderr)
        return bool(chunk)

    def _write(self) -> None:
        """Write once what is queued first; a reader that is gone drops it all."""
        try:
            written = os.write(self._stdin, self._outgoing[0])
        except BlockingIOError:
            written = 0
        except OSError:
            self.stdin_broken = True
            self._outgoing.clear()
            self._close_stdin()
            return
        if written == len(self._outgoing[0]):
            self._outgoing.popleft()
        else:
            self._outgoing[0] = self._outgoing[0][written:]
        if self._outgoing and not self._waits_to_write:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
            self._waits_to_write = True
        elif not self._outgoing and self._waits_to_write:
            self._selector.unregister(self._stdin)
            self._waits_to_write = False
        if self._closing and not self._outgoing:
            self._close_stdin()

    # The end

    def _look(self) -> None:
        """See whether the leader ended, without reaping it: as long as it is a zombie its group's number is ours."""
        if not _HAS_WAITID:
            self._code = self._popen.poll()
            return
        try:
            found = os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # somebody in this Python reaps all children
            self._code = self._popen.poll() or 0
            return
        if found is not None:
            self._code = found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
            if self._pidfd >= 0:
                self._selector.unregister(self._pidfd)

    def _last_words(self) -> None:
        """After the leader's end: read what it left in the pipes, then tell of the end."""
        read = 0
        while self._stderr >= 0 and read < _AFTER_EXIT and self._read_stderr():
            read += _CHUNK
        while self._stdout >= 0 and self._read_after_exit < _AFTER_EXIT and self._read_stdout():
            if self._events:
                return  # told first; the queue is empty again before more is read
        assert self._code is not None
        self._events.append(Exited(self._code))
        self._exit_told = True

    def _ended(self) -> bool:
        return self._code is not None and self._stdout < 0 and self._stderr < 0

    def _collect(self, late: list[Event], seconds: float, kept: int) -> int:
        """Pump into `late` until all has ended, the time is over or too much came; answer what is kept so far."""
        deadline = time.monotonic() + seconds
        dropped_before = self._dropped
        orphaned = False
        while True:
            for event in self._events:
                if isinstance(event, Exited):
                    continue
                size = len(event.data) if isinstance(event, Line | Partial) else 0
                if kept > _LATE_BYTES and size:
                    self._dropped += size
                    continue
                kept += size + _LINE_COST
                late.append(event)
            self._events.clear()
            if self._ended() or (not self._dropping and self._dropped - dropped_before > _LATE_BYTES):
                return kept
            if self._code is not None and not orphaned:
                orphaned = True
                deadline = min(deadline, time.monotonic() + _ORPHAN_GRACE)
            left = deadline - time.monotonic()
            if left <= 0:
                return kept
            self._pump(left)

    def _signal(self, number: int) -> None:
        """Signal the group; its number cannot belong to somebody else while we have not reaped its leader."""
        self._signalled = True
        if self._code is None:
            self._our_signal = number
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, number)

    def _finish(self, late: list[Event], kept: int) -> None:
        """Kill the group, then what left it but holds our pipes; take the last bytes; reap and close."""
        self._outgoing.clear()
        self._close_stdin()
        self._signal(signal.SIGKILL)
        kept = self._collect(late, _KILL_GRACE, kept)
        for _ in range(_ROUNDS):
            if self._ended() or not _kill_marked(self._marker):
                break
            kept = self._collect(late, _KILL_GRACE, kept)
        if self._stdout >= 0:
            self._stdout = self._release(self._stdout)
        if self._stderr >= 0:
            self._stderr = self._release(self._stderr)
        if self._code is not None:
            self._popen.wait()
            if self._finalizer.detach() and self._pidfd >= 0:
                os.close(self._pidfd)
        self._finished = True
        self._selector.close()

    def _close_stdin(self) -> None:
        if self._stdin >= 0:
            if self._waits_to_write:
                self._selector.unregister(self._stdin)
                self._waits_to_write = False
            self._pipes.pop(self._stdin).close()
            self._stdin = -1

    def _take(self, pipe: IO[bytes] | None) -> int:
        """Make our end of a pipe never block; the target's end is a description of its own and stays as it was."""
        assert pipe is not None
        os.set_blocking(pipe.fileno(), False)
        self._pipes[pipe.fileno()] = pipe
        return pipe.fileno()

    def _release(self, fd: int) -> int:
        self._selector.unregister(fd)
        self._pipes.pop(fd).close()
        return -1


def _spawn(argv: Sequence[str], env: Mapping[str, str], cwd: str | None) -> subprocess.Popen[bytes]:
    """Start the command as the leader of a session of its own, so that a Ctrl-C reaches the kit and not the target."""
    if sys.platform == "win32":
        raise StartError("targets are started on POSIX systems only: on Windows, run the kit inside WSL")
    if not argv or not argv[0]:
        raise StartError("the command is empty")
    if cwd is not None and not Path(cwd).is_dir():
        raise StartError(f"the working directory {cwd!r} is not a directory")
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            list(argv), stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, env=env, cwd=cwd, start_new_session=True
        )
    except FileNotFoundError as error:
        missing = os.sep in argv[0] and (Path(cwd or ".") / argv[0]).exists()
        why = "exists, but the interpreter that its first line names does not" if missing else "was not found"
        raise StartError(f"the command {argv[0]!r} {why}") from error
    except PermissionError as error:
        raise StartError(f"the command {argv[0]!r} is not executable, or its directory may not be entered") from error
    except OSError as error:
        raise StartError(f"the command {argv[0]!r} could not be started: {error.strerror}") from error
    except ValueError as error:  # NUL in an argument, "=" in a variable's name
        raise StartError(f"the command {argv[0]!r} could not be started: {error}") from error


def _pidfd(pid: int) -> int:
    """A descriptor that becomes readable when the process ends; -1 where the system has none."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            return os.pidfd_open(pid)
    return -1


def _wait_until_read(fd: int, seconds: float) -> None:
    """Wait until what was written to a pipe has been read, where the system tells, and for so long at most.

    A pipe of one page can be written to only when nothing is in it; one that holds more cannot be made so small.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            size = fcntl.fcntl(fd, fcntl.F_GETPIPE_SZ)
            fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, 1)
            try:
                waiting = select.poll()
                waiting.register(fd, select.POLLOUT)
                waiting.poll(seconds * 1000)
            finally:
                fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, size)


def _kill_marked(marker: str) -> int:
    """Kill every process whose environment carries the marker, and count them; only Linux tells environments."""
    needle = f"{MARKER}={marker}".encode()
    killed = 0
    if sys.platform == "linux":
        for entry in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if needle not in entry.read_bytes().split(b"\0"):
                    continue
                handle = os.pidfd_open(int(entry.parent.name))
                try:
                    # Read again behind the handle: the number may have passed to another process in between.
                    if needle in entry.read_bytes().split(b"\0"):
                        signal.pidfd_send_signal(handle, signal.SIGKILL)
                        killed += 1
                finally:
                    os.close(handle)
    return killed


def _last_resort(popen: subprocess.Popen[bytes], pidfd: int, owner: int) -> None:
    """Kill the group of a target that was dropped or that lives when Python ends; not from a forked copy of us."""
    if os.getpid() == owner and popen.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(popen.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            popen.wait(timeout=_KILL_GRACE)
    if pidfd >= 0:
        os.close(pidfd)
