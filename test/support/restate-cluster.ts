import { newIdentityKey } from "../../server/src/platform/identity-key.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { createRestateProcess, freeRestatePorts, type RestateProcess } from "./restate-process.ts";
import { startTcpBalancer } from "./tcp-balancer.ts";

const slowestStartMs = 120_000;
const partitions = 8;

export interface RestateCluster {
  readonly nodes: readonly RestateProcess[];
  /** Of any live node. */
  readonly ingressUrl: string;
  readonly adminUrl: string;
  readonly identityKey: string;
  /** Whether every partition answers, which needs a live leader for each. */
  isWhole(): Promise<boolean>;
  remove(): Promise<void>;
}

const until = async (what: string, isSo: () => Promise<boolean>) => {
  const giveUpAt = performance.now() + slowestStartMs;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > giveUpAt) throw new Error(`Not in ${slowestStartMs} ms: ${what}.`);
    await sleep(200);
  }
};

/** Several nodes on loopback with a replication of two: one of three may die. */
export const startRestateCluster = async (size = 3): Promise<RestateCluster> => {
  const ports = await Promise.all(Array.from({ length: size }, freeRestatePorts));
  const addresses = ports.map(({ restateNode }) => `http://127.0.0.1:${restateNode}`);
  const identity = newIdentityKey();
  const nodes = await Promise.all(
    ports.map((own, index) =>
      createRestateProcess({
        cluster: "portage-test-cluster",
        node: `node-${index + 1}`,
        ports: own,
        identity,
        settings: {
          RESTATE_DEFAULT_REPLICATION: "2",
          RESTATE_DEFAULT_NUM_PARTITIONS: String(partitions),
          RESTATE_AUTO_PROVISION: String(index === 0),
          RESTATE_ADVERTISED_ADDRESS: addresses[index] ?? "",
          RESTATE_METADATA_CLIENT__TYPE: "replicated",
          RESTATE_METADATA_CLIENT__ADDRESSES: JSON.stringify(addresses),
        },
      }),
    ),
  );
  await Promise.all(nodes.map((node) => node.start()));
  const ingress = await startTcpBalancer(nodes.map(({ ingressUrl }) => ingressUrl));
  const admin = await startTcpBalancer(nodes.map(({ adminUrl }) => adminUrl));
  const isWhole = async () => {
    const living = nodes.find((node) => node.isRunning());
    return (await living?.query("select count(*) as n from sys_invocation"))?.length === 1;
  };
  await until("Restate's cluster is whole", isWhole);
  return {
    nodes,
    ingressUrl: ingress.url,
    adminUrl: admin.url,
    get identityKey() {
      return nodes[0]?.identityKey ?? "";
    },
    isWhole,
    async remove() {
      await Promise.all(nodes.map((node) => node.remove()));
      await Promise.all([ingress.close(), admin.close()]);
    },
  };
};
