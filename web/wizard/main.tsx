import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../ui/styles/index.css";
import { ProblemError } from "../client/problem.ts";
import { App } from "./app/app.tsx";
import { browserStorage } from "./app/browser-storage.ts";
import { NavigationProvider } from "./app/navigation.tsx";
import { reloadOnce } from "../client/reload-once.ts";
import type { ScreenName } from "./app/screen-names.ts";
import { loadScreen } from "./app/screens.ts";
import { createWizardHistory } from "./app/wizard-history.ts";
import { createI18n } from "./i18n/create-i18n.ts";
import { chooseLanguage } from "./i18n/languages.ts";
import { UiLocale } from "./i18n/ui-locale.tsx";

// A newer release has replaced the chunks that this page would load next.
window.addEventListener("vite:preloadError", (event) => {
  if (reloadOnce()) event.preventDefault();
});

const language = chooseLanguage({
  storage: browserStorage(),
  search: window.location.search,
  preferred: navigator.languages,
});

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal is final; only a lost connection is worth a retry.
      retry: (count, error) => count < 3 && error instanceof ProblemError && error.problem.kind === "offline",
    },
  },
});

const navigation = {
  history: createWizardHistory(window),
  prepare: (screen: ScreenName) => {
    loadScreen[screen]().catch(() => {}); // navigating to the screen reports the error
  },
};

const start = async () => {
  await createI18n(language);
  const place = document.getElementById("root");
  if (!place) throw new Error("The page has no #root element.");
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <UiLocale>
          <NavigationProvider navigation={navigation}>
            <App />
          </NavigationProvider>
        </UiLocale>
      </QueryClientProvider>
    </StrictMode>,
  );
};

void start();
