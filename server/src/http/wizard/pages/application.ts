import { statusTexts } from "@portage/contract";
import type { ImportRecord } from "../../../features/imports/index.ts";
import type { Answer } from "../../answer.ts";
import { builtPagesPolicy, readBuiltPage } from "../../built-pages.ts";
import { escapeHtml } from "../../../platform/escape-html.ts";
import type { Texts } from "../../../platform/texts/texts.ts";
import { pageHeaders } from "../../page-headers.ts";
import { notBuiltPage } from "./problem-pages.ts";

const withoutScript = ({ pages: { noScript } }: Texts, status: string) =>
  `<noscript><main class="wz-main narrow"><h1>${escapeHtml(noScript.title)}</h1>
<p>${escapeHtml(noScript.status)} <strong lang="en">${escapeHtml(status)}</strong>.</p>
<p>${escapeHtml(noScript.text)}</p></main></noscript>`;

/** Inserts what only the server knows; the rest of the page is static. */
const fill = (html: string, { id, state }: ImportRecord, texts: Texts) => {
  const theme = `<link rel="stylesheet" href="/wizard/api/imports/${id}/theme.css">`;
  return (
    html
      .replace(/<html lang="[^"]*"/, () => `<html lang="${texts.language}"`)
      .replace(/<noscript>[^]*?<\/noscript>/g, "")
      // Functions, not strings: in a replacement string "$" is special.
      .replace("</head>", () => `${theme}</head>`)
      .replace("</body>", () => `${withoutScript(texts, statusTexts[state.status])}</body>`)
  );
};

/** The wizard's single-page application, as built by Vite. */
export const applicationPage = async (
  webFolder: string,
  found: ImportRecord,
  embedOrigins: readonly string[],
  texts: Texts,
): Promise<Answer> => {
  const html = await readBuiltPage(webFolder, "wizard");
  if (html === undefined) return notBuiltPage();
  return {
    status: 200,
    headers: pageHeaders(builtPagesPolicy, embedOrigins),
    body: fill(html, found, texts),
  };
};
