"""Building a set: what it declares, into its folder of outputs, and only what is stale.

An output is stale if its key is not the one it was made with, or if its file is not the one that was written. A key
holds, by name, a digest of all that the bytes depend on, so that a build can also say why something is stale. The
manifest remembers both. Nothing is laid out to decide what is stale.
"""
