import { QueryErrorResetBoundary } from "@tanstack/react-query";
import { type ComponentType, lazy, Suspense, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Frame } from "./frame.tsx";
import { useHistory, useLocation } from "./navigation.tsx";
import { Page } from "./page.tsx";
import { useRights } from "./use-rights.ts";
import { matchScreen, type ScreenName } from "./screens.ts";

type Loaded = Promise<{ default: ComponentType<{ readonly id: string }> }>;

const shown = (load: () => Promise<{ readonly Screen: ComponentType<{ readonly id: string }> }>) =>
  lazy((): Loaded => load().then(({ Screen }) => ({ default: Screen })));

/** One chunk each. */
const screens: Readonly<Record<ScreenName, ComponentType<{ readonly id: string }>>> = {
  "sign-in": shown(() => import("../screens/sign-in/screen.tsx")),
  enrol: shown(() => import("../screens/enrol/screen.tsx")),
  overview: shown(() => import("../screens/overview/screen.tsx")),
  imports: shown(() => import("../screens/imports/screen.tsx")),
  import: shown(() => import("../screens/import/screen.tsx")),
  partners: shown(() => import("../screens/partners/screen.tsx")),
  partner: shown(() => import("../screens/partner/screen.tsx")),
  people: shown(() => import("../screens/people/screen.tsx")),
  person: shown(() => import("../screens/person/screen.tsx")),
  records: shown(() => import("../screens/records/screen.tsx")),
  tool: shown(() => import("../screens/tool/screen.tsx")),
  billing: shown(() => import("../screens/billing/screen.tsx")),
  data: shown(() => import("../screens/data/screen.tsx")),
  webhooks: shown(() => import("../screens/webhooks/screen.tsx")),
  tools: shown(() => import("../screens/tools/screen.tsx")),
  workers: shown(() => import("../screens/workers/screen.tsx")),
  audit: shown(() => import("../screens/audit/screen.tsx")),
};

const Opening = () => (
  <main id="main" className="c-main">
    <Skeleton lines={6} marks={false} />
  </main>
);

/** Navigation focuses the new screen's title, so that screen readers read it. */
const useArrival = (path: string) => {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return undefined;
    before.current = path;
    // The screen may still load.
    const title = () => document.querySelector<HTMLElement>("main h1");
    const watch = new MutationObserver(() => {
      if (!title()) return;
      watch.disconnect();
      title()?.focus({ preventScroll: true });
    });
    const there = title();
    if (there) there.focus({ preventScroll: true });
    else watch.observe(document.body, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, [path]);
};

const Nowhere = () => {
  const { t } = useTranslation("shell");
  return (
    <Page title={t("problem.gone.title")}>
      <p className="muted">{t("problem.gone.text")}</p>
    </Page>
  );
};

/** A screen for people who are signed in. */
const Inside = ({ name, id }: { name: ScreenName | null; id: string }) => {
  const { seesAll } = useRights();
  const history = useHistory();
  const elsewhere = name === "overview" && !seesAll;
  useEffect(() => {
    if (elsewhere) history.go("/imports", { replace: true });
  }, [elsewhere, history]);
  const Screen = name && screens[name];
  return (
    <Frame>
      <Suspense fallback={<Opening />}>
        {elsewhere ? <Opening /> : Screen ? <Screen key={`${name}/${id}`} id={id} /> : <Nowhere />}
      </Suspense>
    </Frame>
  );
};

export const App = () => {
  const { path } = useLocation();
  useArrival(path);
  const found = matchScreen(path);
  const isOutside = found?.name === "sign-in" || found?.name === "enrol";
  const Outside = isOutside ? screens[found.name] : null;
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <ErrorBoundary key={path} onReset={reset}>
          <Suspense fallback={<Opening />}>
            {Outside ? <Outside id="" /> : <Inside name={found?.name ?? null} id={found?.id ?? ""} />}
          </Suspense>
        </ErrorBoundary>
      )}
    </QueryErrorResetBoundary>
  );
};
