const key = "portage:reloaded-at";
const againAfterMs = 60_000;

/** Reloads the page, unless a reload within the last minute did not help. */
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
