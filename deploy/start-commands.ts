import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readCompose } from "./compose-file.ts";
import { commandWords, readDockerfile } from "./dockerfile.ts";

export interface StartCommand {
  /** The service of compose.yaml that starts it. */
  readonly service: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What the containers made from our image start, as words, to be run without a container as well. */
export const startCommands = (folder: string = import.meta.dirname): readonly StartCommand[] => {
  const image = readDockerfile(readFileSync(join(folder, "Dockerfile"), "utf8"));
  const cmd = image.findLast(({ name }) => name === "CMD");
  if (!cmd) throw new Error("The Dockerfile has no CMD.");
  const { services } = readCompose(readFileSync(join(folder, "compose.yaml"), "utf8"));
  return (
    Object.entries(services)
      // A service without settings runs no program of ours.
      .filter(([, service]) => service.build && service.environment)
      .map(([service, { command, environment = {} }]) => ({
        service,
        command: command ?? commandWords(cmd.value),
        environment,
      }))
  );
};
