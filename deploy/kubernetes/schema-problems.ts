import { PodMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor";
import { PrometheusRule } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { StatefulSet } from "kubernetes-models/apps/v1/StatefulSet";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler";
import { Job } from "kubernetes-models/batch/v1/Job";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Namespace } from "kubernetes-models/v1/Namespace";
import { Service } from "kubernetes-models/v1/Service";
import type { Manifest } from "./overlays.ts";

const models = [
  PodMonitor,
  PrometheusRule,
  Deployment,
  StatefulSet,
  HorizontalPodAutoscaler,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  ConfigMap,
  Namespace,
  Service,
];

const modelOf = ({ apiVersion, kind }: Manifest) => {
  const model = models.find((each) => each.kind === kind && each.apiVersion === apiVersion);
  if (!model) throw new Error(`There is no schema of ${apiVersion} ${kind}.`);
  return model;
};

/**
 * The published schemas refuse wrong values and pass fields that they do not know, which a cluster drops silently: a misspelt field
 * is one that the schema's validator never reads.
 */
const watched = (value: unknown, path: string, unread: Set<string>): unknown => {
  if (typeof value !== "object" || value === null) return value;
  for (const name of Object.keys(value)) unread.add(`${path}.${name}`);
  const children = new Map(
    Object.entries(value).map(([name, each]) => [name, watched(each, `${path}.${name}`, unread)]),
  );
  return new Proxy(value, {
    get: (target, name) => {
      if (typeof name !== "string" || !children.has(name)) return Reflect.get(target, name) as unknown;
      unread.delete(`${path}.${name}`);
      return children.get(name);
    },
  });
};

/** What the published schema of its kind says against a manifest. */
export const schemaProblems = (manifest: Manifest): readonly string[] => {
  const where = `${manifest.kind} ${manifest.metadata.name}`;
  const model = modelOf(manifest);
  const unread = new Set<string>();
  const data = watched(manifest, "", unread) as object;
  const problems: string[] = [];
  try {
    Reflect.apply(model.prototype.validate, data, []);
  } catch (error) {
    problems.push(`${where}: ${(error as Error).message}`);
  }
  const outermost = [...unread].filter((path) => ![...unread].some((other) => path.startsWith(`${other}.`)));
  return [...problems, ...outermost.map((path) => `${where}: ${path.slice(1)} is not known`)];
};
