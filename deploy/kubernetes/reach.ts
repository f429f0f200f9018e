import type { Manifest } from "./overlays.ts";

type Labels = Readonly<Record<string, string>>;

interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly protocol?: string; readonly port: number }[];
}

interface Policy {
  readonly podSelector: Selector;
  readonly policyTypes: readonly ("Ingress" | "Egress")[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

/** One end of a connection: a pod of our namespace, or one of another namespace, known by that one's labels. */
export interface End {
  readonly pod?: Labels;
  readonly namespace?: Labels;
}

const matches = ({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, operator, values = [] }) => {
    if (operator !== "In") throw new Error(`Operator ${operator} is not known here.`);
    return values.includes(labels[key] ?? "");
  });

const isPeer = ({ podSelector, namespaceSelector }: Peer, { pod, namespace }: End): boolean => {
  if (namespaceSelector)
    return namespace !== undefined && matches(namespaceSelector, namespace) && podSelector === undefined;
  return podSelector !== undefined && pod !== undefined && matches(podSelector, pod);
};

const allows = (rules: readonly Rule[] = [], side: "from" | "to", other: End, port: number): boolean =>
  rules.some(
    (rule) =>
      (rule[side]?.some((peer) => isPeer(peer, other)) ?? true) &&
      (rule.ports?.some((each) => each.port === port && (each.protocol ?? "TCP") === "TCP") ?? true),
  );

/** Without a policy of that direction everything is allowed; with some, what any of them allows. */
const permits = (
  policies: readonly Policy[],
  direction: "Ingress" | "Egress",
  { pod }: End,
  other: End,
  port: number,
): boolean => {
  if (!pod) return true; // another namespace: its policies are its own
  const own = policies.filter(
    ({ podSelector, policyTypes }) => matches(podSelector, pod) && policyTypes.includes(direction),
  );
  if (own.length === 0) return true;
  return own.some((policy) =>
    direction === "Ingress"
      ? allows(policy.ingress, "from", other, port)
      : allows(policy.egress, "to", other, port),
  );
};

/** Whether the network policies let one end open a TCP connection to the other. */
export const mayReach = (manifests: readonly Manifest[], from: End, to: End, port: number): boolean => {
  const policies = manifests.filter(({ kind }) => kind === "NetworkPolicy").map(({ spec }) => spec as Policy);
  return permits(policies, "Egress", from, to, port) && permits(policies, "Ingress", to, from, port);
};
