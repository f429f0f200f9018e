import type { Manifest } from "./overlays.ts";

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources?: { readonly requests?: object; readonly limits?: { readonly memory?: string } };
  readonly readinessProbe?: { readonly httpGet?: { readonly path: string } };
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  };
}

export interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly seccompProfile?: { readonly type: string };
  };
  readonly containers: readonly Container[];
  readonly volumes?: readonly { readonly name: string; readonly hostPath?: object }[];
}

/** The pods of a Deployment, StatefulSet or Job. */
export interface Pods {
  readonly of: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

interface WithTemplate {
  readonly template?: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly spec: PodSpec;
  };
}

export const podsOf = (manifests: readonly Manifest[]): readonly Pods[] =>
  manifests.flatMap(({ metadata, spec }) => {
    const { template } = (spec ?? {}) as WithTemplate;
    return template ? [{ of: metadata.name, labels: template.metadata.labels, spec: template.spec }] : [];
  });

/** What is missing to run with as few rights as "restricted" pods have, and without harm to their neighbours. */
export const podProblems = ({ of, spec }: Pods): readonly string[] => {
  const { securityContext: user, containers, volumes = [] } = spec;
  const problems: string[] = [];
  const demand = (isSo: boolean | undefined, problem: string) => {
    if (!isSo) problems.push(`${of}: ${problem}`);
  };
  demand(user?.runAsNonRoot === true && (user.runAsUser ?? 0) > 0, "may run as root");
  demand(user?.seccompProfile?.type === "RuntimeDefault", "has no seccomp profile");
  demand(spec.automountServiceAccountToken === false, "gets a token of the cluster's API");
  demand(
    volumes.every(({ hostPath }) => !hostPath),
    "mounts a folder of the machine",
  );
  for (const { name, securityContext: rights, resources, image } of containers) {
    demand(rights?.allowPrivilegeEscalation === false, `${name} may gain rights`);
    demand(rights?.readOnlyRootFilesystem === true, `${name} may write to its root`);
    demand(
      rights?.capabilities?.drop?.includes("ALL") && !rights.capabilities.add,
      `${name} has capabilities`,
    );
    demand(
      resources?.requests !== undefined && resources.limits?.memory !== undefined,
      `${name} has no limits`,
    );
    demand(/:[\w.-]*\d/.test(image) && !image.endsWith(":latest"), `${name} has no version: ${image}`);
  }
  return problems;
};
