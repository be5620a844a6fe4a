"""Pages: words, charts, the document, and the recipes that put them together."""
