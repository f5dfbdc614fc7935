"""Setting rich text: words of several sizes, icons and rules, lines beside a box, parts printed only where they fit."""
