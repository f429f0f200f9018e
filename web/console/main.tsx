import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../ui/styles/index.css";
import "../ui/styles/field.css";
import "../ui/styles/loading.css";
import "../ui/styles/table.css";
import "./styles/console.css";
import "./styles/parts.css";
import { reloadOnce } from "../client/reload-once.ts";
import { createOperatorClient } from "./api/operator-client.ts";
import { ClientProvider } from "./api/use-client.tsx";
import { App } from "./app/app.tsx";
import { createConsoleHistory, signInAddress } from "./app/console-history.ts";
import { HistoryProvider } from "./app/navigation.tsx";
import { createI18n } from "./i18n/create-i18n.ts";
import { UiLocale } from "./i18n/ui-locale.tsx";
import { isWorthARetry } from "./api/queries.ts";

// A newer release has replaced the chunks that this page would load next.
window.addEventListener("vite:preloadError", (event) => {
  if (reloadOnce()) event.preventDefault();
});

const history = createConsoleHistory(window);
const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 2_000, retry: isWorthARetry } },
});
const client = createOperatorClient({
  fetch: window.fetch.bind(window),
  onExpired: () => {
    // What one person saw, the next must not.
    queryClient.clear();
    history.go(signInAddress(history.href()), { replace: true });
  },
});

const start = async () => {
  await createI18n();
  const place = document.getElementById("root");
  if (!place) throw new Error("The page has no #root element.");
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <UiLocale>
          <HistoryProvider history={history}>
            <ClientProvider client={client}>
              <App />
            </ClientProvider>
          </HistoryProvider>
        </UiLocale>
      </QueryClientProvider>
    </StrictMode>,
  );
};

void start();
