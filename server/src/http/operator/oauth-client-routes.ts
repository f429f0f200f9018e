import { filledText } from "@portage/contract";
import { z } from "zod";
import { listOAuthClients, removeOAuthClients, setOAuthClient } from "../../features/tools/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import { Secret } from "../../platform/secret.ts";
import { Problem } from "../answer.ts";
import { operatorRoute, type OperatorRoute, type Tools } from "./operation.ts";

interface OAuthClientNeeds {
  readonly tools: Tools;
  readonly sealer: Sealer;
}

const clientsSchema = z.object({
  oauth_clients: z.array(z.object({ origin: z.string(), client_id: z.string() })),
});

const clientsOf = async (db: Database, tool: string) => ({
  oauth_clients: (await listOAuthClients(db))
    .filter((client) => client.tool === tool)
    .map(({ origin, id }) => ({ origin, client_id: id })),
});

const origin = z
  .string()
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  }, "must have a scheme, a host and no path, such as https://acme.example")
  .transform((text) => new URL(text).origin);

/** The OAuth clients that the operator registered with tools, never with their secrets. */
export const oauthClientRoutes = (needs: OAuthClientNeeds): readonly OperatorRoute[] => {
  const known = async (id: string) => {
    const found = (await needs.tools()).find(id);
    if (!found) throw new Problem("not_found", "There is no such tool.");
    return found.manifest;
  };
  const about = { area: "tools", path: "/tools/:id/oauth-clients", answer: clientsSchema } as const;
  const changed = async (db: Database, tool: string, work: () => Promise<void>) => {
    const before = await clientsOf(db, tool);
    await work();
    const after = await clientsOf(db, tool);
    return { body: after, target: { kind: "tool", id: tool } as const, before, after };
  };
  return [
    operatorRoute(
      {
        ...about,
        id: "listOAuthClients",
        method: "GET",
        role: "viewer",
        summary: "List a tool's OAuth clients",
        description: "Those that you registered with it, by origin, without their secrets.",
      },
      async ({ db, params }) => {
        const { name } = await known(params["id"] ?? "");
        return { body: await clientsOf(db, name), target: { kind: "tool", id: name } };
      },
    ),
    operatorRoute(
      {
        ...about,
        id: "setOAuthClient",
        method: "PUT",
        role: "admin",
        summary: "Set a tool's OAuth client",
        description: "The secret goes to these origins alone, and is never shown. Safe to repeat.",
        body: z.object({
          client_id: filledText(500),
          client_secret: filledText(2_000),
          origins: z.array(origin).min(1).max(20),
        }),
        conflict: "The tool has no OAuth sign-in: customers connect it with a key.",
      },
      async ({ db, params, body }) => {
        const { name, label, auth } = await known(params["id"] ?? "");
        if (auth.kind !== "oauth2" && auth.kind !== "choice")
          throw new Problem("conflict", `${label} has no OAuth sign-in: customers connect it with a key.`);
        const origins = body.origins as [string, ...string[]];
        return changed(db, name, () =>
          setOAuthClient(db, needs.sealer, name, {
            id: body.client_id,
            secret: new Secret(body.client_secret),
            origins,
          }),
        );
      },
    ),
    operatorRoute(
      {
        ...about,
        id: "clearOAuthClient",
        method: "DELETE",
        role: "admin",
        summary: "Remove a tool's OAuth clients",
        description: "All of them, or the one at `origin`. Safe to repeat.",
        query: z.object({ origin: origin.optional() }),
      },
      async ({ db, params, query }) => {
        const { name } = await known(params["id"] ?? "");
        return changed(db, name, () => removeOAuthClients(db, name, query.origin ?? null));
      },
    ),
  ];
};
