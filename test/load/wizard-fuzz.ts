// `npm run prove:wizard-fuzz`: requests to every route that a customer link opens, with links, cookies and admin links of other
// imports. No 5xx, and nothing is read or changed across imports.
import { parseArgs } from "node:util";
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { createSealer } from "../../server/src/platform/seal.ts";
import { readPart } from "../../server/src/main/config.ts";
import { send } from "../contract/http-client.ts";
import { createFixture } from "../support/fixture.ts";
import { testWebFolder } from "../support/fixtures.ts";
import { createPartners } from "../support/partners.ts";
import { prove } from "../support/proof.ts";
import { histogram } from "../support/statistics.ts";
import { snapshotImports } from "../support/snapshot.ts";
import { judgeAnswer } from "./wizard-fuzz/judge.ts";
import { createMarkedImport, type MarkedImport, startNamingTool } from "./wizard-fuzz/marked-import.ts";
import { type Credential, type FuzzRequest, fuzzRequest } from "./wizard-fuzz/requests.ts";
import { listWizardRoutes, type WizardRoute } from "./wizard-fuzz/routes.ts";

const { values } = parseArgs({ options: { seed: { type: "string" }, scale: { type: "string" } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const ownPage = { "sec-fetch-site": "same-origin", origin: "http://portage.test" };
const streamMs = 200;

const fittingBody = (route: WizardRoute, about: MarkedImport, toolUrl: string): object => {
  const name = `${route.method} ${route.path.replace("/wizard/api/imports/:id", "")}`;
  const settings = { instanceUrl: toolUrl, token: "key-without-account" };
  const bodies: Readonly<Record<string, object>> = {
    "PUT /connections/:side": { settings },
    "POST /connections/:side/sign-in": { settings },
    "POST /sign-ins": { query: `state=${about.state}&code=x` },
    "POST /links": { purpose: "admin", side: "source", importId: about.id },
    "PUT /notices": { email: "jo@acme.example", language: "en" },
    "POST /runs": { kind: "sample" },
    "PUT /selection": { streams: ["tickets"], importId: about.id },
  };
  return bodies[name] ?? { importId: about.id, id: about.id };
};

/** A stream never ends by itself. */
const sendOrCut = async (url: string, method: string, headers: Record<string, string>) => {
  const cut = new AbortController();
  const answer = await fetch(url, { method, headers, signal: cut.signal, redirect: "manual" });
  const timer = setTimeout(() => cut.abort(), streamMs);
  const text = await answer.text().catch(() => "");
  clearTimeout(timer);
  return { status: answer.status, text };
};

await prove("wizard-fuzz", async (proof) => {
  const fixture = await createFixture(proof);
  const sealer = createSealer(readPart(["PORTAGE_KEYS"], fixture.env).PORTAGE_KEYS);
  const tool = await startNamingTool();
  proof.afterwards(() => tool.close());
  const api = await fixture.startApi({
    env: {
      OUTBOUND_ALLOW: tool.host,
      WEB_FOLDER: testWebFolder,
      SIGN_IN_FAILURES_PER_MINUTE: "1000000",
      CONNECT_ATTEMPTS_PER_MINUTE: "1000000",
    },
  });
  const routes = await listWizardRoutes();
  const count = proof.size(20_000, 600);
  const partners = await createPartners(fixture.db, 6);
  const needs = { fixture, sealer, origin: api.url, toolUrl: tool.url };
  const imports: MarkedImport[] = [];
  for (let index = 0; index < 36; index += 1)
    imports.push(await createMarkedImport(needs, partners[index % partners.length]?.id ?? "", index));
  const attackers = imports.slice(0, 18);
  const victims = imports.slice(18);
  // The check can fail: what it searches for is really shown to those who have a right to it.
  const shown = await send(api.url, {
    path: `/wizard/api/imports/${imports[19]?.id}`,
    headers: { authorization: `Bearer ${imports[19]?.linkToken}` },
  });
  proof.holds("an import shows its mark to its own customer", shown.text.includes(imports[19]?.mark ?? "-"));
  const before = await snapshotImports(
    fixture.db,
    victims.map(({ id }) => id),
  );
  proof.holds("there are rows to protect", before.size > 100, before.size);
  proof.say(`seed ${seed}: ${count} requests to ${routes.length} routes; ${attackers.length} imports attack`);

  const headersFor = (
    { credential, csrf, about }: FuzzRequest,
    sender: MarkedImport,
    target: MarkedImport,
  ): Record<string, string> => {
    const admin = sender.admins[about % 2] ?? sender;
    const renamed = (cookie: string) => cookie.replace(sender.id, target.id);
    const all: Readonly<Record<Credential, Record<string, string>>> = {
      link: { authorization: `Bearer ${sender.linkToken}` },
      session: { cookie: sender.cookie, "x-portage-csrf": sender.csrf, ...ownPage },
      "session as the target's": {
        cookie: renamed(sender.cookie),
        "x-portage-csrf": sender.csrf,
        ...ownPage,
      },
      admin: { cookie: admin.cookie, "x-portage-csrf": admin.csrf, ...ownPage },
      "admin as the target's": {
        cookie: renamed(admin.cookie),
        "x-portage-csrf": admin.csrf,
        ...ownPage,
      },
      "session, wrong CSRF": { cookie: sender.cookie, "x-portage-csrf": csrf, ...ownPage },
      "session, no CSRF": { cookie: sender.cookie, ...ownPage },
      "session, foreign page": {
        cookie: sender.cookie,
        "x-portage-csrf": sender.csrf,
        "sec-fetch-site": "cross-site",
        origin: "https://evil.example",
      },
      "wrong link and session": {
        authorization: `Bearer ${randomBytes(16).toString("hex")}`,
        cookie: sender.cookie,
        "x-portage-csrf": sender.csrf,
        ...ownPage,
      },
      "partner token": { authorization: partners[about % partners.length]?.authorization ?? "" },
      garbage: { authorization: `Bearer ${csrf}`, cookie: `portage_${target.id}=${csrf}` },
      none: {},
    };
    return all[credential];
  };

  const opensBy = ({ credential }: FuzzRequest, { method, path }: WizardRoute) => {
    // A page reads the cookie alone: browsers send no other credential when they load it.
    if (credential === "wrong link and session" && path.startsWith("/imports/")) return true;
    if (["wrong link and session", "partner token", "garbage", "none"].includes(credential)) return false;
    const reads = method === "GET" || method === "HEAD";
    return reads || !["session, wrong CSRF", "session, no CSRF"].includes(credential);
  };

  const requests = fc.sample(fuzzRequest(routes.length, attackers.length, imports.length), {
    seed,
    numRuns: count,
  });
  const statuses: number[] = [];
  const reached = new Set<string>();
  const letIn = new Set<string>();
  const failures: string[] = [];
  const runOne = async (index: number) => {
    const request = requests[index] as FuzzRequest;
    const route = routes[request.route] as WizardRoute;
    const sender = attackers[request.sender] as MarkedImport;
    const target = request.target === null ? sender : (imports[request.target] as MarkedImport);
    const about = imports[request.about] as MarkedImport;
    const filled = (text: string) =>
      text.replaceAll("ABOUT", about.admins[0]?.linkId ?? about.id).replaceAll("STATE", () => about.state);
    // Not the token of the import itself: the address of the page would open it, as it should.
    const page = sender === target ? "connect" : sender.linkToken;
    const path = route.path
      .replace(":id", target.id)
      .replace(":token", page)
      .replace(/:[a-z]+/g, () => filled(request.parameter));
    const sent = {
      method: route.method,
      path: path + filled(request.query),
      headers: headersFor(request, sender, target),
      ...(!["GET", "HEAD"].includes(route.method) && {
        body:
          request.body === null ? fittingBody(route, about, tool.url) : Buffer.from(request.body, "latin1"),
      }),
    };
    const name = `${route.method} ${route.path}`;
    const isGuarded = /^\/(wizard\/api\/)?imports\//.test(route.path);
    const opens = sender === target && opensBy(request, route);
    try {
      const answer = route.path.endsWith("/stream")
        ? await sendOrCut(api.url + sent.path, route.method, sent.headers)
        : await send(api.url, sent);
      statuses.push(answer.status);
      reached.add(name);
      if (opens && answer.status < 300) letIn.add(name);
      const wrong = judgeAnswer({ opens, isGuarded, own: sender === target ? sender.mark : "" }, answer);
      if (wrong)
        failures.push(
          `request ${index} of seed ${seed} (${name}, ${request.credential}): ${wrong}; ${answer.status} ${answer.text.slice(0, 200)}`,
        );
    } catch (error) {
      failures.push(`request ${index} of seed ${seed} (${name}): no answer, ${String(error)}`);
    }
  };
  let next = 0;
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      while (next < count) await runOne(next++);
    }),
  );

  for (const line of failures.slice(0, 15)) proof.say(line);
  const seen = histogram(statuses);
  const broken = failures.filter((line) => line.includes("): 5xx;"));
  proof.holds("no 5xx, except 503 while a tool does not answer", broken.length === 0, seen);
  proof.holds("no caller is let in without a right, and nothing is shown to others", failures.length === 0, {
    failures: failures.length,
  });
  const after = await snapshotImports(
    fixture.db,
    victims.map(({ id }) => id),
  );
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key) !== after.get(key),
  );
  proof.holds(
    "no row of another import was added, changed or deleted, to the byte and to its transaction",
    changed.length === 0,
    changed.slice(0, 5),
  );
  const log = api.lines.join("\n");
  const secrets = imports.flatMap(({ linkToken, cookie, csrf, admins, state, toolKey }) => [
    linkToken,
    cookie.split("=")[1] ?? "",
    csrf,
    state,
    toolKey,
    ...admins.flatMap((admin) => [admin.cookie.split("=")[1] ?? "", admin.csrf]),
  ]);
  const leaks = secrets.filter((secret) => secret !== "" && log.includes(secret));
  proof.holds("no secret in the log", leaks.length === 0, { secrets: secrets.length, leaks: leaks.length });
  const errors = api.lines.filter((line) => /"level":(50|60)/.test(line));
  for (const line of errors.slice(0, 3)) proof.say(line);
  proof.holds("no internal error in the log", errors.length === 0, errors.length);
  const all = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const missed = [...all].filter((name) => !reached.has(name));
  proof.meets("every route was reached", missed.length === 0, { routes: all.size, missed });
  const alive = await fetch(`${api.url}/readyz`);
  proof.holds("the process runs and is ready", alive.status === 200, alive.status);
  return {
    seed,
    requests: count,
    routes: all.size,
    routes_with_success: letIn.size,
    imports: imports.length,
    protected_rows: before.size,
    statuses: seen,
    failures: failures.length,
    changed: changed.length,
  };
});
