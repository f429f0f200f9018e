import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decisionPages, decisionsSlug } from "../pages.ts";
import { addressOf } from "./render-page.ts";

/** The list of all decisions, from their titles and their lines of status. */
export const decisionsPage = (
  root: string,
  base: string,
): { readonly slug: string; readonly text: string } => {
  const rows = decisionPages(root).map((page) => {
    const text = readFileSync(join(root, page.source), "utf8");
    const [, status = "", date = ""] = /^Status: (.+?) · Date: (\S+)/m.exec(text) ?? [];
    return `| [${page.label}](${addressOf(page, base)}) | ${status} | ${date} |`;
  });
  return {
    slug: `${decisionsSlug}/index`,
    text: `---
title: "Decisions"
description: "What was decided, when, and why: the architecture decision records."
editUrl: false
---

What was decided, when, and why. A decision that another one replaces says so in its status.

| decision | status | date |
| --- | --- | --- |
${rows.join("\n")}
`,
  };
};
