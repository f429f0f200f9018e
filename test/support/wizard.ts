import { afterAll, beforeAll } from "vitest";
import { createToolChecks, type ToolCheck } from "../../server/src/features/connections/index.ts";
import { moveImport } from "../../server/src/features/imports/index.ts";
import { createOutbound, type Outbound } from "../../server/src/platform/outbound/index.ts";
import { created, type TestApi, useApi } from "../contract/api.ts";
import { type Received, send } from "../contract/http-client.ts";
import { testRegistry } from "./fixtures.ts";
import { openRedmineDoor, type RedmineDoor } from "./redmine-door.ts";

/** A customer's link, and the token of the partner that created it. */
export interface Link {
  readonly id: string;
  readonly token: string;
  readonly partnerToken: string;
}

export interface TestWizard {
  readonly api: TestApi;
  /** Two Redmines: the old tool, and the partner's. */
  readonly old: RedmineDoor;
  readonly desk: RedmineDoor;
  newLink(body?: object): Promise<Link>;
  ask(
    link: Pick<Link, "id" | "token">,
    method: string,
    path?: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Received>;
  connect(link: Link, side: string, settings: object): Promise<Received>;
  settingsOf(door: RedmineDoor): { instanceUrl: string; token: string };
  move(id: string, event: Parameters<typeof moveImport>[1]): ReturnType<typeof moveImport>;
}

/** The API with its customer's side, and two tools that answer on loopback. */
export const useWizard = (
  options: {
    readonly sendsMail?: boolean;
    readonly signInFailuresPerMinute?: number;
    readonly connectAttemptsPerMinute?: number;
  } = {},
): TestWizard => {
  let old: RedmineDoor;
  let desk: RedmineDoor;
  let outbound: Outbound;
  let checks: ReadonlyMap<string, ToolCheck>;
  beforeAll(async () => {
    old = await openRedmineDoor();
    desk = await openRedmineDoor();
    outbound = createOutbound({ allow: [old.host, desk.host] });
    checks = createToolChecks(testRegistry(), outbound);
  });
  afterAll(() => {
    old.close();
    desk.close();
  });
  const api = useApi({
    ...options,
    get toolChecks() {
      return checks;
    },
    get outbound() {
      return outbound;
    },
  });
  const ask: TestWizard["ask"] = ({ id, token }, method, path = "", body, headers = {}) =>
    send(api.origin, {
      method,
      path: `/wizard/api/imports/${id}${path}`,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body && { body }),
    });
  return {
    api,
    get old() {
      return old;
    },
    get desk() {
      return desk;
    },
    newLink: async (body = {}) => {
      const { token: partnerToken } = await api.partner();
      const wanted = { source_tool: "redmine", family: "helpdesk", ...body };
      const { id, token } = await created(api, partnerToken, wanted);
      return { id, token, partnerToken };
    },
    ask,
    connect: (link, side, settings) => ask(link, "PUT", `/connections/${side}`, { settings }),
    settingsOf: ({ url }) => ({ instanceUrl: url, token: "right-key" }),
    move: (importId, event) =>
      moveImport(api.db, event, { importId, partnerId: null, actor: { kind: "system" } }),
  };
};
