import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type ReactNode,
  useContext,
  useMemo,
  useSyncExternalStore,
} from "react";
import { addressOf, type ConsoleHistory } from "./console-history.ts";

const HistoryContext = createContext<ConsoleHistory | null>(null);

export const HistoryProvider = ({ history, children }: { history: ConsoleHistory; children: ReactNode }) => (
  <HistoryContext value={history}>{children}</HistoryContext>
);

export const useHistory = (): ConsoleHistory => {
  const history = useContext(HistoryContext);
  if (!history) throw new Error("The page is rendered outside of a HistoryProvider.");
  return history;
};

export interface ConsoleLocation {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The current location; updates on navigation. */
export const useLocation = (): ConsoleLocation => {
  const history = useHistory();
  const href = useSyncExternalStore(history.subscribe, history.href);
  return useMemo(() => {
    const { pathname, searchParams } = new URL(href, "http://console.invalid");
    return { path: pathname, query: searchParams };
  }, [href]);
};

interface ConsoleLinkProps extends Omit<ComponentProps<"a">, "href"> {
  /** Within the console: "/imports?stuck=true". */
  readonly to: string;
}

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** A link to another screen: without a load, unless the person wants another tab. */
export const ConsoleLink = ({ to, onClick, children, ...rest }: ConsoleLinkProps) => {
  const history = useHistory();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || !isPlainClick(event)) return;
    event.preventDefault();
    history.go(to);
  };
  return (
    <a {...rest} href={addressOf(to)} onClick={follow}>
      {children}
    </a>
  );
};
