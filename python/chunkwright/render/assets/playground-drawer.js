/**
 * @file Drawer of the document and the settings: beside the chunks, or over them on a narrow screen.
 */

const ROOM = matchMedia("(min-width: 900px)");

class Drawer {
  constructor() {
    this.element = byId("pg-side");
    this.button = byId("pg-drawer");
    this.shade = byId("pg-shade");
    this.button.addEventListener("click", () => this.set(!this.is_open));
    this.shade.addEventListener("click", () => this.set(false));
    byId("pg-done").addEventListener("click", () => { this.set(false); this.button.focus(); });
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.is_open || ROOM.matches) return;
      this.set(false);
      this.button.focus();
    });
    ROOM.addEventListener("change", () => this.set(ROOM.matches));
    this.set(ROOM.matches);
  }

  set(is_open) {
    this.is_open = is_open;
    document.body.classList.toggle("pg-drawn", is_open);
    this.button.setAttribute("aria-expanded", String(is_open));
    this.shade.hidden = !is_open || ROOM.matches;
    if (is_open) this.button.classList.remove("pg-told");
  }

  /** Draw the eye to what is wrong in it, where it is closed. */
  tell() { this.button.classList.toggle("pg-told", !this.is_open); }
}
