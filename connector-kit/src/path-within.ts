/** The part of a URL after the instance's URL. */
export interface PathWithin {
  /** Without a leading slash; escapes stay as written. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Without the #. */
  readonly fragment: string;
}

const maxLength = 2_000;

// The URL parser silently normalizes these: the result is not what the person saw.
const mended = /[\s\\\u0000-\u001f\u007f]|\/\.{1,2}(?:\/|$)|%(?:2e|2f|5c|00)/i;

/** The part of a URL after the instance's URL; null: the URL leads elsewhere, or disguises where it leads. */
export const pathWithin = (instanceUrl: string, url: string): PathWithin | null => {
  const text = url.trim();
  if (text.length > maxLength || !/^https?:\/\/[^/]/i.test(text)) return null;
  const base = URL.parse(instanceUrl);
  const at = URL.parse(text);
  if (!base || !at || at.origin !== base.origin || at.username !== "" || at.password !== "") return null;
  if (mended.test(text.split(/[?#]/, 1)[0] ?? "")) return null;
  const root = base.pathname.replace(/\/+$/, "");
  if (!at.pathname.startsWith(`${root}/`)) return null;
  const path = at.pathname.slice(root.length + 1);
  return path.startsWith("/") ? null : { path, query: at.searchParams, fragment: at.hash.slice(1) };
};
