const root = "/console";

/** The current address within the console: "/imports?stuck=true". */
export interface ConsoleHistory {
  href(): string;
  go(href: string, how?: { readonly replace?: boolean }): void;
  subscribe(listener: () => void): () => void;
}

/** The address that a browser shows. */
export const addressOf = (href: string): string => (href === "/" ? root : `${root}${href}`);

export const createConsoleHistory = (page: Window): ConsoleHistory => {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  page.addEventListener("popstate", tell);
  return {
    href: () => {
      const { pathname, search } = page.location;
      const path = pathname.slice(root.length).replace(/\/+$/, "");
      return `${path === "" ? "/" : path}${search}`;
    },
    go: (href, { replace = false } = {}) => {
      if (replace) page.history.replaceState({}, "", addressOf(href));
      else {
        page.history.pushState({}, "", addressOf(href));
        page.scrollTo(0, 0);
      }
      tell();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

const isSignIn = (href: string) => /^\/(sign-in|enrol)\b/.test(href);

/** The sign-in screen, which returns to this address. */
export const signInAddress = (href: string): string =>
  isSignIn(href) ? href : `/sign-in?to=${encodeURIComponent(href)}`;

/** Where to go after a sign-in: only within the console, whatever a link says. */
export const returnAddress = (query: URLSearchParams): string => {
  const to = query.get("to") ?? "/";
  return /^\/(?![/\\])/.test(to) && !isSignIn(to) ? to : "/";
};
