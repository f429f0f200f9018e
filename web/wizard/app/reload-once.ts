const key = "portage:reloaded-at";
const againAfterMs = 60_000;

/** Loads the page anew, unless that was tried a moment ago and did not help. */
export const reloadOnce = (): boolean => {
  try {
    const last = Number(window.sessionStorage.getItem(key));
    if (Date.now() - last < againAfterMs) return false;
    window.sessionStorage.setItem(key, String(Date.now()));
  } catch {
    return false;
  }
  window.location.reload();
  return true;
};
