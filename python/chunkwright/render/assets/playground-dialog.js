/**
 * @file Dialog that asks for the key of the service.
 */

function byId(id) { return document.getElementById(id); }

/** Ask for the key of the service. @returns {Promise<string|null>} */
function askKey(message) {
  const dialog = byId("pg-key-dialog");
  const field = byId("pg-key");
  byId("pg-key-message").textContent = visible(message);
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
