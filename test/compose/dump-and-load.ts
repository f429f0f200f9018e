import { execFileSync } from "node:child_process";
import type { Composition } from "../../deploy/podman/composition.ts";
import { engineEnvironment } from "../../deploy/podman/engine.ts";

/** A command in a container, with a file in place of a terminal. */
const withFile = (composition: Composition, command: string, redirection: string, file: string): void => {
  const line = `exec podman exec --interactive "$1" ${command} ${redirection} "$2"`;
  execFileSync("sh", ["-c", line, "sh", composition.containerOf("postgres"), file], {
    env: engineEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
};

/** As docs/operators/backup.md says for the compose file. */
export const dump = (composition: Composition, file: string): void =>
  withFile(composition, "pg_dump --username postgres --format custom portage", ">", file);

/** All data are gone, Restate's too, as on a new machine; `keep` is not part of the composition. The result is what `recover` said. */
export const load = async (
  composition: Composition,
  file: string,
  { keep }: { readonly keep: readonly string[] },
): Promise<string> => {
  composition.down({ volumes: true, keep });
  await composition.up(["postgres"]);
  const restore = "pg_restore --username postgres --dbname portage --single-transaction --exit-on-error";
  withFile(composition, restore, "<", file);
  const said = composition.run("migrate", "portage", "recover");
  await composition.up();
  return said;
};
