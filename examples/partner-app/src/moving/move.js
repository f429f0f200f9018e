// Shows what is new of a move as soon as the desk knows it. Without this, the page is as new as it was loaded.
const refresh = async () => {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const shown = document.querySelector("#move");
  const fresh = page.querySelector("#move");
  if (fresh.innerHTML !== shown.innerHTML) shown.replaceChildren(...fresh.childNodes);
};

const changes = new EventSource(`${location.pathname}/changes`);
// Whatever happened while the connection was away is told by nobody.
changes.addEventListener("open", () => void refresh());
changes.addEventListener("message", () => void refresh());
