import { Suspense, useEffect, useLayoutEffect, useRef } from "react";
import { useImport } from "../api/queries.ts";
import { useFreshResults } from "../api/use-fresh-results.ts";
import { useHistory, useGo } from "./navigation.tsx";
import { screenFor } from "./next-screen.ts";
import { Opening } from "./opening.tsx";
import type { ScreenName } from "./screen-names.ts";
import { Shell } from "./shell.tsx";
import { useScreen } from "./use-screen.ts";

/** Navigation focuses the new screen's title, so that screen readers read it; the first load starts at the top. */
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

/** Renders the screen of the address, or redirects when the import's status has moved on. */
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
