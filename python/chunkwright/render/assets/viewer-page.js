/**
 * @file Start of a page that holds a view and nothing else.
 */

const held = document.getElementById("view-data");
if (held) {
  const place = document.getElementById("viewer");
  globalThis.ChunkwrightViewer.mount(place, JSON.parse(held.textContent), { whole_page: true });
  document.documentElement.dataset.ready = "true";
}
