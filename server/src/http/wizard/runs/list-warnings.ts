import type { WizardWarnings } from "@portage/contract/wizard";
import { type Unsent, streamLabel } from "../represent.ts";
import type { Warning } from "@portage/contract";
import type { RunFinding, ImportRecord } from "../../../features/imports/index.ts";
import { type AddressOf, worstFirst } from "../../../features/runs/index.ts";
import { invalid, ok } from "../../answer.ts";
import type { Query } from "../../query.ts";
import type { WizardRoute } from "../access/route.ts";

interface Needs {
  readonly listWarnings: (importId: string) => Promise<readonly Warning[]>;
  readonly findingsOf: (importId: string) => Promise<readonly RunFinding[]>;
  readonly addressesOf: (found: ImportRecord) => Promise<AddressOf>;
}

const usualLimit = 50;
const maxLimit = 100;

interface Entry {
  readonly key: string;
  readonly shown: {
    readonly code: string;
    readonly kind: RunFinding["kind"] | "import";
    readonly stream: string | null;
    readonly label: string | null;
    readonly count: number;
    readonly message: string | null;
    readonly examples: readonly { readonly id: string; readonly address: string | null }[];
  };
}

const readPage = (query: Query) => {
  const limit = query.get("limit")?.text ?? String(usualLimit);
  if (!/^([1-9]\d?|100)$/.test(limit))
    return { errors: { limit: [`must be a number from 1 to ${maxLimit}`] } };
  const cursor = query.get("cursor")?.text;
  const after = cursor === undefined ? null : Buffer.from(cursor, "base64url").toString();
  return { limit: Number(limit), after };
};

const entriesOf = (
  found: ImportRecord,
  warnings: readonly Warning[],
  findings: readonly RunFinding[],
  addressOf: AddressOf,
): readonly Entry[] => [
  ...warnings.map(
    ({ code, stream, count, message }): Entry => ({
      key: `import|${code}|${stream ?? ""}`,
      shown: { code, kind: "import", stream, label: null, count, message, examples: [] },
    }),
  ),
  ...worstFirst(findings).map((finding): Entry => {
    const { code, kind, stream, count, examples } = finding;
    return {
      key: `${kind}|${code}|${stream}`,
      shown: {
        code,
        kind,
        stream,
        label: streamLabel(found.family, stream),
        count,
        message: null,
        examples: examples.map((id) => ({ id, address: addressOf(stream, id) })),
      },
    };
  }),
];

/** Pages through the warnings, grouped by cause, worst first, with examples. */
export const listImportWarnings = (needs: Needs): WizardRoute => ({
  method: "GET",
  path: "/warnings",
  handle: async ({ import: found, query }) => {
    const page = readPage(query);
    if ("errors" in page) return invalid(page.errors);
    const entries = entriesOf(
      found,
      await needs.listWarnings(found.id),
      await needs.findingsOf(found.id),
      await needs.addressesOf(found),
    );
    const start = page.after === null ? 0 : entries.findIndex(({ key }) => key === page.after) + 1;
    if (page.after !== null && start === 0) return invalid({ cursor: ["is not one of ours"] });
    const shown = entries.slice(start, start + page.limit);
    const last = shown.at(-1);
    const more = start + page.limit < entries.length && last !== undefined;
    return ok({
      warnings: shown.map((entry) => entry.shown),
      next: more ? Buffer.from(last.key).toString("base64url") : null,
    } satisfies Unsent<WizardWarnings>);
  },
});
