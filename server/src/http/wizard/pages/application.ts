import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { statusTexts } from "@portage/contract";
import type { ImportRecord } from "../../../features/imports/index.ts";
import type { Answer } from "../../answer.ts";
import { escapeHtml } from "../../../platform/escape-html.ts";
import { pageHeaders } from "../../page-headers.ts";
import { notBuiltPage } from "./problem-pages.ts";

const policy = [
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
];

const withoutScript = (status: string) =>
  `<noscript><main class="wz-main narrow"><h1>Switch on JavaScript to go on</h1>
<p>The status of your move is: <strong>${escapeHtml(status)}</strong>.</p>
<p>A move that has begun goes on without this page. To see more and to decide, this page needs JavaScript.</p></main></noscript>`;

/** Inserts what only the server knows; the rest of the page is static. */
const fill = (html: string, { id, state }: ImportRecord) => {
  const theme = `<link rel="stylesheet" href="/wizard/api/imports/${id}/theme.css">`;
  return (
    html
      .replace(/<noscript>[^]*?<\/noscript>/g, "")
      // Functions, not strings: in a replacement string "$" is special.
      .replace("</head>", () => `${theme}</head>`)
      .replace("</body>", () => `${withoutScript(statusTexts[state.status])}</body>`)
  );
};

/** The wizard's single-page application, as built by Vite. */
export const applicationPage = async (
  webFolder: string,
  found: ImportRecord,
  embedOrigins: readonly string[],
): Promise<Answer> => {
  let html: string;
  try {
    html = await readFile(join(webFolder, "wizard/index.html"), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return notBuiltPage();
  }
  return { status: 200, headers: pageHeaders(policy, embedOrigins), body: fill(html, found) };
};
