import { Problem } from "../../http/answer.ts";
import { operatorBillingRoutes } from "../../http/operator/billing-routes.ts";
import { erasureRoutes } from "../../http/operator/erasure-routes.ts";
import { importControl } from "../../http/operator/import-control.ts";
import { importReads } from "../../http/operator/import-reads.ts";
import { InvalidInput } from "../../http/operator/invalid-input.ts";
import { read, readChange } from "../../http/operator/mount.ts";
import { oauthClientRoutes } from "../../http/operator/oauth-client-routes.ts";
import { commandSession, isChange, type OperatorRoute } from "../../http/operator/operation.ts";
import { partnerRoutes } from "../../http/operator/partner-routes.ts";
import { staffRoutes } from "../../http/operator/staff-routes.ts";
import { systemRoutes, toolRoutes } from "../../http/operator/system-routes.ts";
import { webhookRoutes } from "../../http/operator/webhook-routes.ts";
import { z } from "zod";
import type { Database } from "../../platform/db.ts";
import { createSigner } from "../../platform/sign.ts";
import { operatorUrlOf } from "../operator-url.ts";
import { CommandError } from "./command-error.ts";
import { directChange } from "./direct-change.ts";
import type { Operator } from "./operator.ts";
import { invalidCall, type OperatorClient, refusedCall } from "./operator-call.ts";

/** The operations that commands use. Each reads only those settings that it needs. */
const routesFor = (operator: Operator): readonly OperatorRoute[] => {
  const needs = {
    tools: () => operator.tools(),
    get sealer() {
      return operator.sealer();
    },
    get signer() {
      return createSigner(operator.config("PORTAGE_KEYS").PORTAGE_KEYS);
    },
    get webhookAllow() {
      return operator.config("WEBHOOK_ALLOW").WEBHOOK_ALLOW;
    },
    get publicUrl() {
      return operator.config("PUBLIC_URL").PUBLIC_URL;
    },
    get operatorUrl() {
      const config = operator.config("OPERATOR_URL", "OPERATOR_PORT");
      if (config.OPERATOR_URL === undefined && !config.OPERATOR_PORT)
        throw new CommandError("no_operator_url", "Nothing says where the console is.", {
          fix: "Set OPERATOR_URL to the address that browsers use, as for the API, and run the command again.",
        });
      return operatorUrlOf(config);
    },
  };
  return [
    ...importReads(needs),
    ...importControl(needs),
    ...erasureRoutes(needs),
    ...partnerRoutes(needs),
    ...webhookRoutes(needs),
    ...operatorBillingRoutes(needs),
    ...toolRoutes(needs),
    ...systemRoutes(),
    ...oauthClientRoutes(needs),
    ...staffRoutes(needs),
  ];
};

const findRoute = (routes: readonly OperatorRoute[], method: string, path: string) => {
  for (const route of routes) {
    const { operation } = route;
    const id = new RegExp(`^${operation.path.replace(":id", "(?<id>[^/]+)")}$`).exec(path)?.groups?.["id"];
    if (operation.method === method && (id !== undefined || operation.path === path))
      return { route, params: id === undefined ? {} : { id: decodeURIComponent(id) } };
  }
  throw new Error(`The operator API has no ${method} ${path}.`);
};

/** As HTTP carries it: a time is a text. */
const onWire = (json: unknown) => JSON.parse(JSON.stringify(json)) as object;

/**
 * Makes calls of the operator API on the database, without the API: its handlers do the work, so that both do the same.
 * The audit log names the user of the machine.
 */
export const createDirectClient = (operator: Operator, db: Database): OperatorClient => {
  const routes = routesFor(operator);
  return async <T>(path: string, sent: Parameters<OperatorClient>[1] = {}) => {
    const { method = "GET" } = sent;
    const [name = "", search = ""] = path.split("?");
    const { route, params } = findRoute(routes, method, name);
    const { operation } = route;
    const asked = Object.fromEntries(new URLSearchParams(search));
    try {
      const query = read((operation.query ?? z.object({})).strict(), asked);
      const { reason, body } = readChange(operation, { ...onWire(sent.body ?? {}) });
      const call = { session: commandSession, params, query, body, db };
      if (!isChange(operation)) return onWire((await route.handle(call)).body) as T;
      const prepared = await route.prepare?.(call);
      const done = await directChange(db, operation.id, async (within) => {
        const answered = await route.handle({ ...call, db: within }, prepared);
        const { body: result, target = null, ...change } = answered;
        return { result, target, reason, ...change };
      });
      return onWire(done) as T;
    } catch (error) {
      if (error instanceof InvalidInput) throw invalidCall(sent, error.errors);
      if (error instanceof Problem) throw refusedCall(sent, error);
      throw error;
    }
  };
};
