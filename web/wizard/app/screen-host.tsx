import { Suspense, useEffect, useLayoutEffect, useRef } from "react";
import { useImport } from "../api/queries.ts";
import { useFreshResults } from "../api/use-fresh-results.ts";
import { useHistory, useGo } from "./navigation.tsx";
import { screenFor } from "./next-screen.ts";
import { Opening } from "./opening.tsx";
import type { ScreenName } from "./screen-names.ts";
import { Shell } from "./shell.tsx";
import { useScreen } from "./use-screen.ts";

/** Whoever navigates hears the new screen's title; whoever opens the page begins at its top. */
const useArrival = (shown: ScreenName | undefined) => {
  const history = useHistory();
  const before = useRef<ScreenName>(undefined);
  useLayoutEffect(() => {
    if (shown === undefined || shown === before.current) return;
    if (before.current !== undefined)
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    before.current = shown;
    history.restoreScroll();
  }, [shown, history]);
};

/** The screen of the address; when the import has gone on, so does the page. */
export const ScreenHost = ({ asked }: { asked: ScreenName | null }) => {
  const found = useImport();
  const go = useGo();
  useFreshResults();
  const wanted = screenFor(asked, found);
  useEffect(() => {
    if (wanted !== asked) go(wanted, { replace: true });
  }, [wanted, asked, go]);
  const shown = useScreen(wanted);
  useArrival(shown?.name);
  if (!shown) return <Opening />;
  const { name, Screen } = shown;
  return (
    <Shell screen={name}>
      <Suspense fallback={<main id="main" className="wz-main" />}>
        <Screen key={name} />
      </Suspense>
    </Shell>
  );
};
