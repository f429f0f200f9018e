import { readFileSync } from "node:fs";
import { join } from "node:path";
import { podman } from "../../deploy/podman/engine.ts";
import type { Proof } from "../support/proof.ts";

const root = join(import.meta.dirname, "../..");

interface Inspected {
  readonly Size: number;
  readonly Config: { readonly User: string; readonly Labels: Readonly<Record<string, string>> };
}

interface Component {
  readonly purl: string;
}

const inContainer = (image: string, ...command: readonly string[]) =>
  podman(
    "run",
    "--rm",
    "--no-healthcheck",
    "--network",
    "none",
    "--read-only",
    "--cap-drop",
    "ALL",
    image,
    ...command,
  );

/** Names and versions of the packages that are installed in the image. */
const installedIn = (image: string): readonly string[] => {
  const { packages } = JSON.parse(inContainer(image, "cat", "node_modules/.package-lock.json")) as {
    packages: Readonly<Record<string, { name?: string; version: string; link?: boolean }>>;
  };
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && !link)
    .map(
      ([path, { name, version }]) =>
        `${name ?? path.slice(path.lastIndexOf("node_modules/") + 13)}@${version}`,
    );
};

/** Checks what an image is, without its services. */
export const judgeImage = (
  proof: Proof,
  image: string,
  version: string,
): { readonly megabytes: number; readonly packages: number } => {
  const [{ Size, Config }] = JSON.parse(podman("image", "inspect", image)) as [Inspected];
  const megabytes = Math.round(Size / 1e6);
  proof.say(
    `the image has ${megabytes} MB, ${Math.round(megabytes - baseMegabytes(image))} of them beyond its base`,
  );
  proof.holds("it runs as a user without rights", Config.User === "node", Config.User);
  proof.holds(
    "its label has the version",
    Config.Labels["org.opencontainers.image.version"] === version,
    version,
  );
  const said = inContainer(image, "portage", "--version");
  proof.holds(
    "portage is on PATH, and runs without capabilities on a read-only root",
    /^\d+\.\d+\.\d+$/.test(said),
    said,
  );

  const installed = new Set(installedIn(image));
  const { components } = JSON.parse(inContainer(image, "cat", "sbom.cdx.json")) as {
    components: readonly Component[];
  };
  const listed = new Set(
    components
      .map(({ purl }) => decodeURIComponent(purl.replace("pkg:npm/", "")))
      .filter((each) => !each.startsWith("@portage/")),
  );
  const unlisted = [...installed].filter((each) => !listed.has(each));
  const absent = [...listed].filter((each) => !installed.has(each));
  proof.holds(
    "its SBOM lists every package in it, and no other",
    installed.size > 0 && unlisted.length + absent.length === 0,
    {
      packages: installed.size,
      unlisted: unlisted.slice(0, 5),
      absent: absent.slice(0, 5),
    },
  );
  // Some tools of development are dependencies of the server as well: these are in the server's own list.
  const read = (file: string) =>
    JSON.parse(readFileSync(join(root, file), "utf8")) as Record<
      "dependencies" | "devDependencies",
      Record<string, string>
    >;
  const needed = read("server/package.json").dependencies;
  const forBuilding = [
    "vitest",
    "typescript",
    "oxlint",
    "@biomejs/biome",
    "playwright-core",
    "react",
    "vite",
  ];
  const wrong = [...forBuilding, "@restatedev/restate-server"].filter(
    (name) => !(name in needed) && [...installed].some((each) => each.startsWith(`${name}@`)),
  );
  proof.holds("it has no dependency of development", wrong.length === 0, wrong);
  return { megabytes, packages: installed.size };
};

const baseMegabytes = (image: string): number => {
  const history = JSON.parse(podman("history", "--format", "json", image)) as readonly { size: number }[];
  return (history.at(-1)?.size ?? 0) / 1e6;
};
