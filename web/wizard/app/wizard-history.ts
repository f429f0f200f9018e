export interface HowToGo {
  readonly replace?: boolean;
  /** What of the screen is meant: "tickets.status". */
  readonly part?: string;
}

/** Where the page is, and where it was. */
export interface WizardHistory {
  path(): string;
  /** What of the screen is meant: "tickets.status". */
  part(): string | null;
  go(path: string, how?: HowToGo): void;
  subscribe(listener: () => void): () => void;
  /** To be called once a screen stands there: at its top, or where its reader had left it. */
  restoreScroll(): void;
}

interface Kept {
  readonly scrollY?: number;
}

const savedAfterMs = 100;

/** The browser's history; positions are kept with it, because screens come later than the browser would wait. */
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
