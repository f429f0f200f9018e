/** Null where the browser keeps nothing for us: what was chosen then holds for this page alone. */
export const browserStorage = (): Storage | null => {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
};
