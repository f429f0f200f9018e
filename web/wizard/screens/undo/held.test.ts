import type { WizardImport } from "@portage/contract/wizard";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Client } from "../../api/client.ts";
import { importQuery } from "../../api/queries.ts";
import { ClientProvider } from "../../api/use-client.tsx";
import { Held } from "./held.tsx";

const shown = (warnings: WizardImport["warnings"]) => {
  const client = { importId: "imp_x", address: (path: string) => path } as Client;
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  queries.setQueryData(importQuery(client).queryKey, { warnings } as WizardImport);
  return renderToStaticMarkup(
    createElement(
      QueryClientProvider,
      { client: queries },
      ClientProvider({ client, children: createElement(Held, { since: null }) }),
    ),
  );
};

const message = "The undo can't go on yet. The account needs a payment.";

test("a held undo shows its reason; other warnings do not appear", () => {
  const warning = { code: "action_required", message, count: 1 };
  expect(shown([{ ...warning, stream: "undo" }])).toContain("The account needs a payment.");
  expect(shown([{ ...warning, stream: "source_sign_in" }])).toBe("");
});
