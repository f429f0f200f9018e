/** What a web server needs to send every address of the old tool to where its records are now. */
export interface RedirectSnippet {
  readonly server: "nginx" | "Apache" | "Caddy";
  readonly text: string;
}

/**
 * Snippets for the web server that answered for the old tool. They pass on the address as the browser sent it, query included; null:
 * there is no address to answer for.
 */
export const redirectSnippets = (
  resolver: string,
  oldUrl: string | null,
): readonly RedirectSnippet[] | null => {
  const old = URL.parse(oldUrl ?? "");
  // Values that a configuration file would read as its own syntax are no address of a tool.
  if (!old || !/^[\w.:/~-]+$/.test(`${resolver}${old.href}`)) return null;
  const path = old.pathname.replace(/\/+$/, "");
  const to = `${resolver}${old.origin}`;
  return [
    {
      server: "nginx",
      text: `location ${path}/ {\n    return 302 ${to}$request_uri;\n}\n`,
    },
    {
      server: "Apache",
      text: `RewriteEngine On\nRewriteCond %{THE_REQUEST} "^[A-Z]+ (${path}/[^? ]*)"\nRewriteRule ^ "${to}%1" [R=302,L,NE]\n`,
    },
    {
      server: "Caddy",
      text: `redir ${path}/* ${to}{uri} 302\n`,
    },
  ];
};
