import { expect } from "vitest";
import type { WizardImport } from "@portage/contract/wizard";
import { type Received, send } from "../contract/http-client.ts";
import type { Link, TestWizard } from "./wizard.ts";

/** The headers that a browser sends with a request of our own page. */
export const ownPage = { origin: "https://portage.example", "sec-fetch-site": "same-origin" };

export interface BrowserSession {
  readonly cookie: string;
  readonly csrf: string;
  /** The first answer that the page read. */
  readonly shown: WizardImport;
  /** A request with the cookie and no other implicit header. */
  ask(method: string, path?: string, body?: object, headers?: Record<string, string>): Promise<Received>;
  /** A change, as our own page requests it. */
  change(method: string, path: string, body?: object): Promise<Received>;
}

/** A browser that opened a link. */
export const openBrowser = async (
  { api }: Pick<TestWizard, "api">,
  { id, token }: Pick<Link, "id" | "token">,
): Promise<BrowserSession> => {
  const entered = await send(api.origin, { path: `/imports/${id}/${token}` });
  expect(entered.status).toBe(303);
  const cookie = entered.headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? "";
  const ask: BrowserSession["ask"] = (method, path = "", body, headers = {}) =>
    send(api.origin, {
      method,
      path: `/wizard/api/imports/${id}${path}`,
      headers: { cookie, ...headers },
      ...(body && { body }),
    });
  const shown = (await ask("GET")).json as WizardImport;
  const csrf = shown.csrf ?? "";
  const change: BrowserSession["change"] = (method, path, body) =>
    ask(method, path, body, { ...ownPage, "x-portage-csrf": csrf });
  return { cookie, csrf, shown, ask, change };
};
