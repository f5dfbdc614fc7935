"""The paintings of the starter deck, drawn as layered flat shapes.

Run from the folder above this package::

    python -m paint            # every picture
    python -m paint lighthouse # just this one

`palette` holds the inks, `shapes` the cut-paper geometry, `canvas` the sheet it is printed on, `scenery` and
`props` what many pictures share; `kit` gathers all of them under one name.  The remaining modules are the scenes.
"""
