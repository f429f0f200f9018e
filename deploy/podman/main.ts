// `node deploy/podman/main.ts build|up|down|purge|logs`: what docker compose does with deploy/compose.yaml and deploy/.env, with
// Debian's podman and without a container registry. `purge` removes the data too.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeBaseImages } from "./base-images.ts";
import { buildImage } from "./build-image.ts";
import { createComposition, readEnvFile } from "./composition.ts";
import { requireEngine } from "./engine.ts";

const root = join(import.meta.dirname, "../..");
const variables = readEnvFile(readFileSync(join(root, "deploy/.env"), "utf8"));
const { VERSION: version = "dev" } = variables;
const composition = () =>
  createComposition({ files: [join(root, "deploy/compose.yaml")], variables, project: "portage" });

const verbs: Readonly<Record<string, () => unknown>> = {
  build: () => {
    makeBaseImages();
    buildImage(root, `portage:${version}`, version);
  },
  up: () => composition().up(),
  down: () => composition().down(),
  purge: () => composition().down({ volumes: true }),
  logs: () => process.stdout.write(composition().logs()),
};

const verb = verbs[process.argv[2] ?? ""];
if (!verb) throw new Error(`Name one of: ${Object.keys(verbs).join(", ")}.`);
requireEngine();
await verb();
