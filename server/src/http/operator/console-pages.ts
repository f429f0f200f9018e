import { builtAssets, builtPagesPolicy, readBuiltPage } from "../built-pages.ts";
import { htmlPage } from "../html.ts";
import { pageHeaders } from "../page-headers.ts";
import type { Mounted } from "../server.ts";

const notBuilt = () =>
  htmlPage({
    status: 503,
    title: "The console is not built",
    main: "<p>Run <code>npm run build:web</code>, then load this page again.</p>",
  });

/** The operator's console: one page for every address, which holds no data and needs no session. */
export const consolePages = (webFolder: string): readonly Mounted[] => {
  const answer = async () => {
    const html = await readBuiltPage(webFolder, "console");
    return html === undefined
      ? notBuilt()
      : { status: 200, headers: pageHeaders(builtPagesPolicy, []), body: html };
  };
  return [
    builtAssets(webFolder, "console"),
    { method: "GET", path: "/console", answer },
    { method: "GET", path: "/console/*", answer },
  ];
};
