"""`python -m render` is the command `kotc`."""

from render.cli import main

main(prog_name="kotc")
