/**
 * Keeps an open page up to date without a reload, which would move the reader's focus: each second it fetches the page
 * again and takes over what changed, until the answer no longer has this script. Inlined, so that the policy allows it by
 * its hash and nothing else.
 */
export const followScript = `const follow = async () => {
  if (document.hidden) return false;
  const answer = await fetch(location.href);
  if (answer.status === 404 || answer.status === 410) location.reload();
  if (!answer.ok) return false;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of ["h1", ".top p", "section ul"]) {
    const shown = document.querySelector(part);
    const next = fresh.querySelector(part);
    if (shown.innerHTML !== next.innerHTML) shown.replaceChildren(...next.childNodes);
  }
  if (fresh.querySelector("script")) return false;
  document.querySelector("nav").replaceWith(...fresh.querySelectorAll("nav"));
  return true;
};
const again = () => setTimeout(async () => (await follow().catch(() => false)) || again(), 1000);
again();`;
