/** Null where the browser blocks storage: choices then last until the page is closed. */
export const browserStorage = (): Storage | null => {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
};
