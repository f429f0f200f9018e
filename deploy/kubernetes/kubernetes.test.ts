import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { describe, expect, test } from "vitest";
import { configNames } from "../../server/src/main/config.ts";
import { longestDrainMs } from "../../server/src/main/worker-processes.ts";
import { workerFlags } from "../../server/src/main/worker-flags.ts";
import { inputsHash, type Manifest, overlays, readManifests, renderedText } from "./overlays.ts";
import { podProblems, type Pods, podsOf } from "./pods.ts";
import { type End, mayReach } from "./reach.ts";
import { schemaProblems } from "./schema-problems.ts";

const read = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8");
const manifestsOf = (overlay: (typeof overlays)[number]) => readManifests(renderedText(overlay));

const only = <X>(found: readonly X[]): X => {
  const [first, ...rest] = found;
  if (first === undefined || rest.length > 0) throw new Error(`${found.length} were found.`);
  return first;
};
const podsNamed = (manifests: readonly Manifest[], name: string): Pods =>
  only(podsOf(manifests).filter(({ labels }) => labels["app.kubernetes.io/name"] === name));

describe.each(overlays)("%s", (overlay) => {
  const manifests = manifestsOf(overlay);

  test("is rendered from the files beside it", () => {
    expect(renderedText(overlay).split("\n")[0]).toContain(inputsHash());
  });

  test("conforms to the published schemas", () => {
    expect(manifests.flatMap(schemaProblems)).toEqual([]);
  });

  test("runs with as few rights as restricted pods have", () => {
    expect(podsOf(manifests).flatMap(podProblems)).toEqual([]);
    expect(podsOf(manifests).map(({ of }) => of)).toEqual(
      expect.arrayContaining(["api", "migrate-0-1-0", "restate", "worker-0-1-0"]),
    );
  });

  test("sets only settings that there are, and no secret", () => {
    const settings = only(
      manifests.filter(({ kind, metadata }) => kind === "ConfigMap" && !metadata.name.startsWith("postgres")),
    ) as Manifest & {
      readonly data: Readonly<Record<string, string>>;
    };
    expect(Object.keys(settings.data).filter((name) => !configNames.includes(name as never))).toEqual([]);
    expect(manifests.filter(({ kind }) => kind === "Secret")).toEqual([]);
  });

  test("starts workers with their flags, and lets chunks hand over", () => {
    const { spec } = podsNamed(manifests, "worker");
    expect(spec.containers[0]?.command).toEqual(["node", ...workerFlags, "server/src/main/worker.ts"]);
    expect(1_000 * (spec.terminationGracePeriodSeconds ?? 0)).toBeGreaterThan(longestDrainMs + 5_000);
  });

  test("has a Service for each release's workers, which also leads to those that Restate does not know yet", () => {
    const { labels, spec } = podsNamed(manifests, "worker");
    const release = labels["portage.example.com/release"];
    const service = only(
      manifests.filter((each) => each.kind === "Service" && each.metadata.name.startsWith("worker")),
    );
    expect(service).toMatchObject({
      metadata: { name: `worker-${release}` },
      spec: {
        publishNotReadyAddresses: true,
        selector: { "app.kubernetes.io/name": "worker", "portage.example.com/release": release },
      },
    });
    expect(spec.containers[0]?.env?.find(({ name }) => name === "WORKER_URL")?.value).toBe(
      "http://worker-$(RELEASE):9080",
    );
  });

  test("migrates as the owner of the tables, and nothing else connects as it", () => {
    const secretsOf = (name: string) =>
      JSON.stringify(podsNamed(manifests, name).spec.containers).match(/"secretRef":\{"name":"[^"]+"/g);
    expect(secretsOf("migrate")).toEqual(['"secretRef":{"name":"portage-owner"']);
    for (const name of ["api", "worker"]) expect(secretsOf(name)).toEqual(['"secretRef":{"name":"portage"']);
    expect(podsNamed(manifests, "migrate").spec.containers[0]?.env).toEqual([
      { name: "PORTAGE_RUNTIME_ROLE", value: "portage_app" },
    ]);
  });

  const pod = (name: string): End => ({ pod: podsNamed(manifests, name).labels });
  const namespace = (reaches: string): End => ({ namespace: { "portage.example.com/reaches": reaches } });
  const anyone: End = { namespace: { "kubernetes.io/metadata.name": "default" } };
  const ends = {
    api: pod("api"),
    worker: pod("worker"),
    restate: pod("restate"),
    migrate: pod("migrate"),
    stranger: { pod: { "app.kubernetes.io/name": "stranger" } },
    ingress: namespace("api"),
    staff: namespace("operator"),
    prometheus: namespace("metrics"),
    anyone,
  };
  const allPorts = [3000, 3001, 5122, 5432, 8080, 9070, 9080, 9081, 9464];

  test("lets only those reach a port who need it", () => {
    const open = Object.entries(ends).flatMap(([from, one]) =>
      (["api", "worker", "restate", "migrate"] as const).flatMap((to) =>
        allPorts
          .filter((port) => mayReach(manifests, one, ends[to], port))
          .map((port) => `${from} → ${to}:${port}`),
      ),
    );
    expect(open).toEqual([
      "worker → restate:8080",
      "worker → restate:9070",
      "restate → worker:9080",
      "restate → restate:5122",
      "ingress → api:3000",
      "staff → api:3001",
      "prometheus → api:9464",
      "prometheus → worker:9464",
    ]);
  });
});

test("on one node, only Portage's own processes reach PostgreSQL, which reaches none", () => {
  const manifests = manifestsOf("one-node");
  const to = { pod: podsNamed(manifests, "postgres").labels };
  const reach = ["api", "worker", "migrate", "restate"].filter((name) =>
    mayReach(manifests, { pod: podsNamed(manifests, name).labels }, to, 5432),
  );
  expect(reach).toEqual(["api", "worker", "migrate"]);
  expect(mayReach(manifests, { namespace: {} }, to, 5432)).toBe(false);
  expect(mayReach(manifests, to, { pod: podsNamed(manifests, "api").labels }, 3000)).toBe(false);
});

test("with several machines, one of each may fail", () => {
  const manifests = manifestsOf("highly-available");
  const specOf = (kind: string, name: string) =>
    only(manifests.filter((each) => each.kind === kind && each.metadata.name === name)).spec;
  expect(specOf("HorizontalPodAutoscaler", "api")).toMatchObject({ minReplicas: 3 });
  expect(specOf("Deployment", "api")).not.toHaveProperty("replicas");
  expect(specOf("Deployment", "worker-0-1-0")).toMatchObject({ replicas: 3 });
  expect(specOf("StatefulSet", "restate")).toMatchObject({ replicas: 3 });
  for (const name of ["api", "worker-0-1-0", "restate"])
    expect(specOf("PodDisruptionBudget", name)).toMatchObject({ maxUnavailable: 1 });
});

test("its alerts are Prometheus' own", () => {
  const rule = parse(read("highly-available/alerts.yaml")) as { readonly spec: unknown };
  expect(rule.spec).toEqual(parse(read("../prometheus/portage.rules.yaml")));
});

describe("what is wrong is found", () => {
  const manifests = manifestsOf("one-node");
  const planted = (from: string, to: string) => {
    const text = renderedText("one-node");
    if (!text.includes(from)) throw new Error(`Nothing to change: ${from}`);
    return readManifests(text.replaceAll(from, to));
  };

  test.each([
    ["replicas: 1", "replicas: one", /replicas must be integer/],
    ["terminationGracePeriodSeconds", "terminationGraceSeconds", /terminationGraceSeconds is not known/],
    ["maxSurge: 1", "maxSurge: []", /maxSurge/],
  ])("%s as %s", (from, to, problem) => {
    const problems = planted(from, to).flatMap(schemaProblems);
    expect(problems.join("\n")).toMatch(problem);
  });

  test.each([
    ["runAsNonRoot: true", "runAsNonRoot: false", /may run as root/],
    ["readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false", /may write to its root/],
    ["allowPrivilegeEscalation: false", "allowPrivilegeEscalation: true", /may gain rights/],
    ["automountServiceAccountToken: false", "automountServiceAccountToken: true", /token of the cluster/],
    ["type: RuntimeDefault", "type: Unconfined", /no seccomp profile/],
    ["- ALL", "- KILL", /has capabilities/],
    ["portage:0.1.0", "portage:latest", /has no version/],
    ["limits:", "bounds:", /has no limits/],
  ])("%s as %s", (from, to, problem) => {
    expect(podsOf(planted(from, to)).flatMap(podProblems).join("\n")).toMatch(problem);
  });

  test("a network without the rule that closes it", () => {
    const open = manifests.filter(({ metadata }) => metadata.name !== "nothing");
    const elsewhere = { namespace: { "kubernetes.io/metadata.name": "default" } };
    const migrate = { pod: podsNamed(manifests, "migrate").labels };
    expect(mayReach(manifests, elsewhere, migrate, 9080)).toBe(false);
    expect(mayReach(open, elsewhere, migrate, 9080)).toBe(true);
  });
});
