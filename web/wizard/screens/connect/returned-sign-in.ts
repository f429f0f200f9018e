const marker = "#signed-in=";

/** What came back with somebody from a tool's sign-in page; it is taken out of the address, so that it is used once. */
export const takeReturnedSignIn = (page: Window): string | null => {
  const { hash, pathname, search } = page.location;
  if (!hash.startsWith(marker)) return null;
  page.history.replaceState(page.history.state, "", `${pathname}${search}`);
  return decodeURIComponent(hash.slice(marker.length));
};
