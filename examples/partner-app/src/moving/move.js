// Refreshes an open page as soon as the desk learns of a change. Without this script the page is static.
const refresh = async () => {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const shown = document.querySelector("#move");
  const fresh = page.querySelector("#move");
  if (fresh.innerHTML !== shown.innerHTML) shown.replaceChildren(...fresh.childNodes);
};

const changes = new EventSource(`${location.pathname}/changes`);
// The stream does not repeat changes that happened while the connection was lost.
changes.addEventListener("open", () => void refresh());
changes.addEventListener("message", () => void refresh());
