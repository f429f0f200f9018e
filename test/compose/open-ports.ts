import type { Composition } from "../../deploy/podman/composition.ts";
import { podman } from "../../deploy/podman/engine.ts";

/** Every port that some process of the composition may listen on, and a few that none should. */
const ports = [22, 80, 443, 3000, 3001, 4100, 4101, 5122, 5432, 8080, 9070, 9071, 9080, 9081, 9464];

interface Address {
  readonly service: string;
  readonly address: string;
}

/** The addresses of each service in every network: who knows them needs no names. */
const addressesOf = (composition: Composition, services: readonly string[]): readonly Address[] =>
  services.flatMap((service) => {
    const networks = JSON.parse(
      podman("inspect", composition.containerOf(service), "--format", "{{json .NetworkSettings.Networks}}"),
    ) as Record<string, { IPAddress: string }>;
    return Object.values(networks).map(({ IPAddress: address }) => ({ service, address }));
  });

const probe = `
const { connect } = require("node:net");
const [, addresses, ports] = process.argv.map((text, i) => (i > 0 ? JSON.parse(text) : text));
const isOpen = (host, port) => new Promise((resolve) => {
  const socket = connect({ host, port });
  const end = (open) => { socket.destroy(); resolve(open); };
  socket.once("connect", () => end(true)).once("error", () => end(false));
  setTimeout(() => end(false), 5000).unref();
});
const tried = addresses.flatMap(({ service, address }) => ports.map(async (port) => (await isOpen(address, port)) ? [service + ":" + port] : []));
Promise.all(tried).then((found) => console.log(JSON.stringify([...new Set(found.flat())].sort())));
`;

/** What answers to a container of the same image that joins one network and knows every address. */
export const openPorts = (
  composition: Composition,
  {
    network,
    image,
    services,
  }: { readonly network: string; readonly image: string; readonly services: readonly string[] },
): readonly string[] =>
  JSON.parse(
    podman(
      "run",
      "--rm",
      "--no-healthcheck",
      "--network",
      composition.networkOf(network),
      image,
      "node",
      "-e",
      probe,
      JSON.stringify(addressesOf(composition, services)),
      JSON.stringify(ports),
    ),
  ) as string[];
