import { createApi } from "../../../server/src/main/create-api.ts";
import { createLog } from "../../../server/src/platform/log.ts";
import { testRegistry, testSealer, testSigner, testWebFolder } from "../../support/fixtures.ts";

export interface WizardRoute {
  readonly method: string;
  /** With `:name` for a parameter. */
  readonly path: string;
}

/** Reads Fastify's own tree of routes, one line per route below its parent. */
export const readRouteTree = (tree: string): readonly WizardRoute[] => {
  const parents: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const [, indent = "", part = "", methods = ""] = /^([│ ]*)[├└]── (\S+) \(([^)]+)\)/.exec(line) ?? [];
    if (part === "") return [];
    const depth = indent.length / 4;
    const path = `${depth === 0 ? "" : parents[depth - 1]}${part}`;
    parents[depth] = path;
    return methods.split(", ").map((method) => ({ method, path }));
  });
};

/** Every route that a customer link opens, from the API itself: none can be forgotten. */
export const listWizardRoutes = async (): Promise<readonly WizardRoute[]> => {
  const unused = {} as never;
  const { app } = createApi({
    db: unused,
    outbound: unused,
    sealer: testSealer(),
    signer: testSigner(),
    registry: testRegistry(),
    toolChecks: new Map(),
    log: createLog("silent"),
    publicUrl: "http://portage.test",
    webFolder: testWebFolder,
    signInFailuresPerMinute: 1,
    requestTimeoutMs: 1_000,
    trustedProxies: [],
  });
  await app.ready();
  const routes = readRouteTree(app.printRoutes({ commonPrefix: false }));
  await app.close();
  return routes.filter(({ path }) => /^\/(wizard|imports|oauth|mail)\//.test(path));
};
