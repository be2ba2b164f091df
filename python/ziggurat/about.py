"""What is known of the build of the engine."""

from ziggurat import _core

BUILD_FACTS = ("version", "git_describe", "level", "compiler")  #: the keys of `build_info`


def build_info() -> dict[str, str]:
    """The build of the engine that is loaded, as texts.

    "version"; "git_describe", the commit that it was built from (`git describe --always --dirty --tags`; empty if it
    was built outside of its repository, as from a source package); "level", the instruction set; "compiler".
    """
    from ziggurat import __version__

    facts = _core._native.build_facts()
    return dict(zip(BUILD_FACTS, (__version__, facts["git_describe"], _core.level, facts["compiler"]), strict=True))
