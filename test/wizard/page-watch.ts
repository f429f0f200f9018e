import type { Page } from "playwright-core";

/** What a page did that it must not do. */
export interface Watch {
  /** Requests to any host but the page's own server. */
  readonly foreign: string[];
  /** Requests and scripts that the page's policy blocked. */
  violations(): Promise<readonly string[]>;
  /** Script errors and console errors of the page. */
  readonly errors: string[];
  /** The layout shift while the page loaded, as Chromium measures it. */
  layoutShift(): Promise<number>;
  /** The bytes of every file over the wire. */
  readonly files: { readonly path: string; readonly bytes: number; readonly encoding: string }[];
}

interface Noted {
  portageViolations: string[];
  portageShift: number;
}

const note = () => {
  const noted = window as unknown as Noted;
  noted.portageViolations = [];
  noted.portageShift = 0;
  document.addEventListener("securitypolicyviolation", (event) => {
    noted.portageViolations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
  });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
      if (!entry.hadRecentInput) noted.portageShift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
};

export const pageWatch = async (page: Page): Promise<Watch> => {
  const foreign: string[] = [];
  const errors: string[] = [];
  const files: Watch["files"] = [];
  await page.addInitScript(note);
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    // A header that names a feature which this Chromium lacks is no fault of the page.
    if (message.text().startsWith("Error with Permissions-Policy header")) return;
    if (message.type() === "error" || message.type() === "warning") errors.push(message.text());
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    const own = page.url() === "about:blank" ? origin : new URL(page.url()).origin;
    if (protocol.startsWith("http") && own !== "null" && origin !== own) foreign.push(request.url());
  });
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith("/wizard/assets/")) return;
    const encoding = response.headers()["content-encoding"] ?? "none";
    void response
      .request()
      .sizes()
      .then(({ responseBodySize }) => files.push({ path: pathname, bytes: responseBodySize, encoding }))
      .catch(() => {}); // the page was closed meanwhile
  });
  return {
    foreign,
    errors,
    files,
    violations: () => page.evaluate(() => (window as unknown as Noted).portageViolations),
    layoutShift: () => page.evaluate(() => (window as unknown as Noted).portageShift),
  };
};
