import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { moveImport } from "../../../server/src/features/imports/index.ts";
import { insertSignIn } from "../../../server/src/features/connections/store-sign-ins.ts";
import type { Sealer } from "../../../server/src/platform/seal.ts";
import { send } from "../../contract/http-client.ts";
import type { Fixture } from "../../support/fixture.ts";

/** An import whose data contains its mark, with every kind of access to it. */
export interface MarkedImport {
  readonly id: string;
  readonly mark: string;
  readonly linkToken: string;
  readonly cookie: string;
  readonly csrf: string;
  /** Links for an admin who connects one side. */
  readonly admins: readonly { readonly linkId: string; readonly cookie: string; readonly csrf: string }[];
  /** Of a sign-in that has begun. */
  readonly state: string;
  readonly toolKey: string;
}

/** The part of Redmine that a connect calls. The owner of a key is named after the key. */
export const startNamingTool = async (): Promise<{ url: string; host: string; close: () => void }> => {
  const server = createServer(({ headers, url }, response) => {
    const key = String(headers["x-redmine-api-key"] ?? "");
    if (!url?.startsWith("/users/current.json") || !key.startsWith("key-"))
      return void response.writeHead(url?.startsWith("/users/current.json") ? 401 : 404).end();
    const login = key.slice("key-".length);
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        user: { id: 1, login, admin: true, firstname: "Jo", lastname: "Smith", mail: "jo@acme.example" },
      }),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    host,
    url: `http://${host}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

interface Needs {
  readonly fixture: Fixture;
  readonly sealer: Sealer;
  readonly origin: string;
  readonly toolUrl: string;
}

const cookieIn = (headers: { readonly "set-cookie"?: string[] | undefined }) =>
  headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? "";

/** Creates an import as its partner and its customer do. `index` decides how far it has come. */
export const createMarkedImport = async (
  { fixture, sealer, origin, toolUrl }: Needs,
  partnerId: string,
  index: number,
): Promise<MarkedImport> => {
  const mark = `mark-${randomBytes(6).toString("hex")}-x`;
  const { id, linkToken } = await fixture.createImport(partnerId, {
    source_tool: "redmine",
    reference: mark,
    destination_username: `${mark}@acme.example`,
  });
  const toolKey = `key-${mark}`;
  const api = `/wizard/api/imports/${id}`;
  const bearer = { authorization: `Bearer ${linkToken}` };
  const asCustomer = async (method: string, path: string, body: object) => {
    const { status, json, text } = await send(origin, { method, path: api + path, headers: bearer, body });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json;
  };
  const sides = ["source", "destination"] as const;
  for (const side of sides.slice(0, index % 3))
    await asCustomer("PUT", `/connections/${side}`, { settings: { instanceUrl: toolUrl, token: toolKey } });
  if (index % 6 === 5)
    for (const type of ["sample_started", "run_done"] as const)
      await moveImport(fixture.db, { type }, { importId: id, partnerId: null, actor: { kind: "system" } });

  const enter = async (token: string) => {
    const cookie = cookieIn((await send(origin, { path: `/imports/${id}/${token}` })).headers);
    const { json } = await send(origin, { path: api, headers: { cookie } });
    return { cookie, csrf: (json as { csrf: string }).csrf };
  };
  const admins = await Promise.all(
    sides.map(async (side) => {
      const made = (await asCustomer("POST", "/links", { purpose: "admin", side })) as {
        id: string;
        url: string;
      };
      return { linkId: made.id, ...(await enter(made.url.split("/").at(-1) ?? "")) };
    }),
  );
  const state = randomBytes(32).toString("base64url");
  await insertSignIn(fixture.db, sealer, { importId: id, side: "source" }, state, {
    side: "source",
    tool: "redmine",
    typed: { instanceUrl: toolUrl },
    verifier: mark,
  });
  return { id, mark, linkToken, ...(await enter(linkToken)), admins, state, toolKey };
};
