export interface HowToGo {
  readonly replace?: boolean;
  /** The targeted part of the screen: "tickets.status". */
  readonly part?: string;
}

/** The current location, with scroll positions of earlier ones. */
export interface WizardHistory {
  path(): string;
  /** The targeted part of the screen: "tickets.status". */
  part(): string | null;
  go(path: string, how?: HowToGo): void;
  subscribe(listener: () => void): () => void;
  /** Call it once a screen is rendered: scrolls to the top, or to the position where the customer left it. */
  restoreScroll(): void;
}

interface Kept {
  readonly scrollY?: number;
}

const savedAfterMs = 100;

/** The browser's history. We store scroll positions in it: screens load too late for the browser's own restore. */
export const createWizardHistory = (page: Window): WizardHistory => {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  let saving: number | undefined;
  const save = () => {
    page.clearTimeout(saving);
    page.history.replaceState({ scrollY: page.scrollY } satisfies Kept, "");
  };
  page.history.scrollRestoration = "manual";
  page.addEventListener("popstate", () => {
    page.clearTimeout(saving);
    tell();
  });
  page.addEventListener(
    "scroll",
    () => {
      page.clearTimeout(saving);
      saving = page.setTimeout(save, savedAfterMs);
    },
    { passive: true },
  );
  return {
    path: () => page.location.pathname,
    part: () => {
      try {
        return decodeURIComponent(page.location.hash.slice(1)) || null;
      } catch {
        return null;
      }
    },
    go: (path, { replace = false, part } = {}) => {
      const hash = part === undefined ? "" : `#${encodeURIComponent(part)}`;
      const target = `${path}${page.location.search}${hash}`;
      if (replace) page.history.replaceState({}, "", target);
      else {
        save();
        page.history.pushState({}, "", target);
      }
      tell();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    restoreScroll: () => page.scrollTo(0, (page.history.state as Kept | null)?.scrollY ?? 0),
  };
};
