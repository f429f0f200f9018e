import { createHash } from "node:crypto";
import scalar from "@scalar/fastify-api-reference";
import { fastify } from "fastify";
import { ok } from "../answer.ts";
import type { Mounted } from "../server.ts";

const settings = JSON.stringify({
  url: "/docs/api/openapi.json",
  // The page must not call another host: no fonts, no telemetry.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  // Only our own samples: the generated ones do not sign in.
  hiddenClients: true,
  defaultOpenAllTags: true,
});

// With credentials the browser answers a 401 with its own sign-in window, and the test request waits for that window.
const withoutCredentials = "(input, init) => fetch(input, { ...init, credentials: 'omit' })";

const start = `Scalar.createApiReference("#reference", { ...${settings}, customFetch: ${withoutCredentials} })`;
const startHash = createHash("sha256").update(start).digest("base64");

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Portage partner API</title><link rel="icon" href="data:,"></head><body><div id="reference"></div><script src="/docs/api/reference.js"></script><script>${start}</script></body></html>`;

const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${startHash}'`,
  "style-src 'self' 'unsafe-inline'", // the reference writes its styles into the page
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The package serves its script only through its own routes, whose headers we can't set: load the script once. */
const loadScript = async (): Promise<Buffer> => {
  const shelf = fastify();
  await shelf.register(scalar, { routePrefix: "/", configuration: { url: "/" } });
  return (await shelf.inject("/js/scalar.js")).rawPayload;
};

/** The OpenAPI document and its reference page, both public. */
export const referenceRoutes = (openApi: object): readonly Mounted[] => {
  const document = JSON.stringify(openApi);
  let script: Promise<Buffer> | undefined;
  return [
    {
      method: "GET",
      path: "/docs/api/openapi.json",
      answer: async () => ok(document, { "content-type": "application/json; charset=utf-8" }),
    },
    {
      method: "GET",
      path: "/docs/api",
      answer: async () =>
        ok(page, {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": contentSecurityPolicy,
        }),
    },
    {
      method: "GET",
      path: "/docs/api/reference.js",
      answer: async () => {
        script ??= loadScript();
        return ok(await script, {
          "content-type": "text/javascript; charset=utf-8",
          "cache-control": "max-age=3600",
        });
      },
    },
  ];
};
