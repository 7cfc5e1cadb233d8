/**
 * @file Packed rows: pages hold rows by columns, as `chunkwright.render.viewing.packing` writes them.
 */

const PACKED_ROLES = ["body", "overlap", "heading", "header", "speaker"];

/** Rows as objects, whether they are packed or not. */
function unpackedRows(rows) {
  if (!rows || Array.isArray(rows)) return rows ?? [];
  const { n, same, columns } = rows;
  const names = Object.keys(columns);
  const values = names.map((name) => columns[name]);
  const found = new Array(n);
  for (let i = 0; i < n; i += 1) {
    const row = { ...same };
    names.forEach((name, column) => {
      const held = values[column];
      row[name] = Array.isArray(held) ? held[i] : held.of[held.at[i]];
    });
    found[i] = row;
  }
  return found;
}

/** A view with its rows as objects, and that beside it. */
function unpackedView(view, text = view.text, points = null) {
  if (Array.isArray(view.chunks)) return view;
  const own = points ?? new CodePoints(text);
  const spoken = (place) => (
    Array.isArray(place) ? text.slice(own.toUnit(place[0]), own.toUnit(place[1])) : place);
  const chunks = unpackedRows(view.chunks);
  for (const row of chunks) {
    const flat = row.pieces;
    row.pieces = [];
    for (let i = 0; i < flat.length; i += 3) {
      row.pieces.push({ role: PACKED_ROLES[flat[i]], start: flat[i + 1], end: flat[i + 2] });
    }
    if (row.prefix_shadow) row.prefix_shadow = spoken(row.prefix_shadow);
    if (row.suffix_shadow) row.suffix_shadow = spoken(row.suffix_shadow);
  }
  return {
    ...view,
    chunks,
    boundaries: unpackedRows(view.boundaries),
    elements: unpackedRows(view.elements),
    other: view.other ? unpackedView(view.other, text, own) : undefined,
  };
}
