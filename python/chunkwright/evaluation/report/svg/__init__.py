"""Pictures of an evaluation as SVG, drawn by hand: no library, no script, no outside resource."""
