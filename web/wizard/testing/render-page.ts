import type { WizardImport, WizardProgress, WizardRunProgress } from "@portage/contract/wizard";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { LocaleProvider, type UiStrings } from "../../ui/locale.tsx";
import type { Client } from "../api/client.ts";
import { answerQuery, importQuery } from "../api/queries.ts";
import { ClientProvider } from "../api/use-client.tsx";

/** Renders a part of a page to static HTML. The move is from Old Desk to Acme Desk. */
export const renderPage = (element: ReactNode, run: WizardRunProgress | null = null): string => {
  const client = { importId: "imp_x", address: (path: string) => path } as Client;
  const queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  });
  queryClient.setQueryData(importQuery(client).queryKey, {
    sides: { source: { label: "Old Desk" }, destination: { label: "Acme Desk" } },
    partner: { name: "Acme Desk", hasLogo: false },
  } as WizardImport);
  queryClient.setQueryData(answerQuery<WizardProgress>(client, "/progress").queryKey, {
    progress: run,
  } as WizardProgress);
  return renderToStaticMarkup(
    createElement(
      QueryClientProvider,
      { client: queryClient },
      LocaleProvider({
        speech: { words: {} as UiStrings, locale: "en" },
        children: ClientProvider({ client, children: element }),
      }),
    ),
  );
};
