"""Keep files: checksums, atomic writes, locks, folders at an address."""
