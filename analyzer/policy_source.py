"""Where policies come from: modules and files, the digests of these, and their way to other machines."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import inspect
import io
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from analyzer.errors import UserError, words_of
from analyzer.specs import Spec, parse

if TYPE_CHECKING:
    from analyzer.policy_choice import Chosen


def source_file(parsed: Spec) -> Path | None:
    """The file that holds a policy from outside, None if there is none. Nothing of it is carried out."""
    if not parsed.source:
        return None
    if parsed.is_file:
        return Path(parsed.source)
    see_folder(str(Path.cwd()))
    try:
        found = importlib.util.find_spec(parsed.source)
    except (ImportError, ValueError, AttributeError):
        return None
    return Path(found.origin) if found is not None and found.origin and found.has_location else None


def file_digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    except OSError:
        return ""


_digests: dict[str, str] = {}  # module name -> sha256 of the source that was loaded


def module_digest(module: ModuleType) -> str:
    if module.__name__ not in _digests:
        path = getattr(module, "__file__", None)
        source = Path(path).read_bytes() if path and Path(path).is_file() else module.__name__.encode()
        _digests[module.__name__] = hashlib.sha256(source).hexdigest()
    return _digests[module.__name__]


def code_digest(cls: type[Any]) -> str:
    """A digest of the code of a class made in the caller's own program, as far as it can be seen."""
    try:
        return hashlib.sha256(inspect.getsource(cls).encode()).hexdigest()
    except (OSError, TypeError):
        code = [f"{k}:{v.__code__.co_code.hex()}" for k, v in vars(cls).items() if inspect.isfunction(v)]
        return hashlib.sha256("|".join(code).encode()).hexdigest()


# ---------------------------------------------------------------- loading


def see_folder(folder: str) -> None:
    """Let modules in this folder be imported, after everything that is installed."""
    if folder not in sys.path:
        sys.path.append(folder)


def import_module(source: str, what: str, game: str = "", again: bool = False) -> ModuleType:
    see_folder(str(Path.cwd()))
    try:
        module = importlib.import_module(source)
        if again:
            _digests.pop(source, None)
            module = importlib.reload(module)
    except ModuleNotFoundError as error:
        if error.name is None or not (source == error.name or source.startswith(f"{error.name}.")):
            raise broken(source, error) from error
        told = f"There is no module {source!r} to take the policy {what!r} from."
        value = f" If {what!r} is a parameter, it needs a value: {source}:{what}=value." if game else ""
        raise UserError(told + value) from None
    except (Exception, SystemExit) as error:
        raise broken(source, error) from error
    module_digest(module)
    return module


def _file_module(path: Path) -> tuple[str, bytes]:
    """The name of the module that a file makes, another one for every text, and the text."""
    try:
        source = _brought.get(str(path)) or path.read_bytes()
    except OSError as error:
        raise UserError(f"The policy file {path} cannot be read: {error.strerror or error}.") from None
    digest = hashlib.sha256(source).hexdigest()
    place = hashlib.sha256(str(path).encode()).hexdigest()[:8]
    return f"policy_file_{path.stem}_{place}_{digest[:12]}", source


def load_file(path: Path) -> ModuleType:
    """The module of a file; loaded anew whenever the file's text is another one."""
    name, source = _file_module(path)
    if name in sys.modules:
        return sys.modules[name]
    see_folder(str(path.parent))
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # dataclasses look the module up while the class is being made
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise broken(str(path), error) from error
    _digests[name] = hashlib.sha256(source).hexdigest()
    return module


@contextlib.contextmanager
def anew(spec: Spec) -> Iterator[None]:
    """Meanwhile the source of a policy is carried out once more when it is asked for, beside the module that
    is known. What it prints is not shown."""
    of_file = spec.is_file or is_brought(spec.source)
    name = _file_module(Path(spec.source))[0] if of_file else spec.source
    package, _, own = name.rpartition(".")
    known, digest = sys.modules.pop(name, None), _digests.get(name)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        if known is not None:
            sys.modules[name] = known
            if package in sys.modules:
                setattr(sys.modules[package], own, known)
        if digest is not None:
            _digests[name] = digest


def broken(source: str, error: BaseException) -> UserError:
    """The words for a source that cannot be loaded: what happened, and in which line of it."""
    line = getattr(error, "lineno", None)
    trace = error.__traceback__
    while trace is not None:
        # A file is named by its path, a module by its name.
        if source in (trace.tb_frame.f_code.co_filename, trace.tb_frame.f_globals.get("__name__")):
            line = trace.tb_lineno
        trace = trace.tb_next
    at = f", line {line}" if line else ""
    return UserError(f"{source}{at} cannot be loaded: {words_of(error)}")


# ---------------------------------------------------------------- sources on their way to other machines

MAX_SOURCE = 2**20  # bytes of a file that travels

_brought: dict[str, bytes] = {}  # source as a spec names it -> its text, which came with a block


def sources_of(policies: Iterable[Chosen]) -> dict[str, bytes]:
    """The texts of the files that hold policies of the user's own, by source: what a worker on another
    machine lacks. What these files import must be installed there. Raises UserError for one too large."""
    found: dict[str, bytes] = {}
    for parsed in {
        one.spec: parse(one.spec) for one in policies if one.digest and one.given is None
    }.values():
        path = source_file(parsed)
        if path is not None and path.suffix == ".py" and "site-packages" not in path.parts:
            if path.stat().st_size > MAX_SOURCE:
                raise UserError(
                    f"{path} has more than {MAX_SOURCE:,} bytes, too many to travel with a block."
                )
            found[parsed.source] = path.read_bytes()
    return found


def bring(sources: Mapping[str, bytes]) -> None:
    """Let these texts stand for their files in this process, from now on."""
    _brought.update(sources)


def is_brought(source: str) -> bool:
    """Whether a text came that stands for this file."""
    return source in _brought
