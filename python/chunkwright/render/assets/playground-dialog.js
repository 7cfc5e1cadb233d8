/**
 * @file Dialog that asks for the key of the service.
 */

function byId(id) { return document.getElementById(id); }

/**
 * Ask for the key of the service.
 * @param {boolean} is_wrong  Whether one was given that the service does not know, or no longer.
 * @returns {Promise<string|null>}
 */
function askKey(is_wrong) {
  const dialog = byId("pg-key-dialog");
  const field = byId("pg-key");
  byId("pg-key-message").textContent = is_wrong
    ? "The key that was given is not one of the service's." : "Give a key that the service was started with.";
  field.value = "";
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      const given = field.value;
      field.value = "";
      resolve(dialog.returnValue === "use" && given ? given : null);
    }, { once: true });
  });
}

byId("pg-key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  byId("pg-key-dialog").close("use");
});
byId("pg-key-cancel").addEventListener("click", () => byId("pg-key-dialog").close(""));
