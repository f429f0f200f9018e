import { join } from "node:path";

/**
 * Screens of the wizard that pages of the site show. `npm run test:demo` takes them while it clicks through the demo; they are not
 * committed, and a site that is built without them leaves them out.
 */
export const screens: ReadonlySet<string> = new Set([
  "01-start",
  "02b-connect",
  "04-choose",
  "05b-fields",
  "07-review",
  "09-running",
  "10-done",
  "11c-undone",
]);

export const screensFolder = join(import.meta.dirname, "screens");

/** The window in which they are taken. */
export const screenSize = { width: 1280, height: 900 } as const;
