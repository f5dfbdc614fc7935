"""What a build remembers: the manifest, keys, inputs, and the lock of a folder."""
