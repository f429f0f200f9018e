import { expect, test } from "vitest";
import { redirectSnippets } from "./redirect-snippets.ts";

const resolver = "https://portage.example/r/imp_1/";

test("each web server passes on the address as it was asked for", () => {
  expect(redirectSnippets(resolver, "https://old.example/redmine/")).toEqual([
    {
      server: "nginx",
      text: "location /redmine/ {\n    return 302 https://portage.example/r/imp_1/https://old.example$request_uri;\n}\n",
    },
    {
      server: "Apache",
      text: 'RewriteEngine On\nRewriteCond %{THE_REQUEST} "^[A-Z]+ (/redmine/[^? ]*)"\nRewriteRule ^ "https://portage.example/r/imp_1/https://old.example%1" [R=302,L,NE]\n',
    },
    {
      server: "Caddy",
      text: "redir /redmine/* https://portage.example/r/imp_1/https://old.example{uri} 302\n",
    },
  ]);
  expect(redirectSnippets(resolver, "https://old.example:8443")?.[0]?.text).toContain(
    "location / {\n    return 302 https://portage.example/r/imp_1/https://old.example:8443$request_uri;",
  );
});

test("no snippet without an address, or with one that would be read as syntax", () => {
  for (const url of [
    null,
    "",
    "https://old.example/a;b",
    'https://old.example/"',
    "https://old.example/$x",
    "https://a{b}/",
  ])
    expect(redirectSnippets(resolver, url)).toBeNull();
});
