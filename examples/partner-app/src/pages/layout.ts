import type { Mode } from "@portage/sdk";
import { type Html, html } from "./html.ts";

const sections = [
  ["/", "Tickets"],
  ["/contacts", "Contacts"],
  ["/people", "People"],
  ["/articles", "Articles"],
  ["/mail", "Mail"],
  ["/moves", "Move data"],
] as const;

export interface PageNeeds {
  readonly title: string;
  readonly section: (typeof sections)[number][0];
  readonly accountName: string;
  /** Whether customers can move their data here. */
  readonly hasMoves: boolean;
  readonly mode: Mode;
}

const simulations: Readonly<Record<Mode, string | null>> = {
  production: null,
  sandbox: "Simulation: this desk uses Portage's sandbox. No real data moves, and nothing is created.",
  simulator: "Simulation: this desk uses Portage's simulator. It plays the moves; no real data moves.",
};

export const layout = (
  { title, section, accountName, hasMoves, mode }: PageNeeds,
  content: Html,
): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${accountName}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<p class="brand"><a href="/">Ferry Desk</a> <span>${accountName}</span></p>
<nav aria-label="Sections"><ul>${sections
  .filter(([path]) => hasMoves || path !== "/moves")
  .map(
    ([path, label]) =>
      html`<li><a href="${path}"${path === section ? html` aria-current="page"` : null}>${label}</a></li>`,
  )}</ul></nav>
${simulations[mode] && html`<p class="simulation">${simulations[mode]}</p>`}
</header>
<main id="content">
${content}
</main>
</body>
</html>`;
