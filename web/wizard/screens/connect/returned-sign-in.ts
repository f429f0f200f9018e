const marker = "#signed-in=";

/** Takes the result of the tool's sign-in page out of the address, so that it is used only once. */
export const takeReturnedSignIn = (page: Window): string | null => {
  const { hash, pathname, search } = page.location;
  if (!hash.startsWith(marker)) return null;
  page.history.replaceState(page.history.state, "", `${pathname}${search}`);
  return decodeURIComponent(hash.slice(marker.length));
};
