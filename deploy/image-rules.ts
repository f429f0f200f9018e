import { globSync } from "node:fs";
import { validate } from "dockerfile-utils";
import { commandWords, readDockerfile } from "./dockerfile.ts";

/** The names at the root that .dockerignore lets through. */
const letThrough = (dockerignore: string): readonly string[] =>
  dockerignore
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.slice(1));

const pinned = (image: string) =>
  /:[^:/]*\d[^:/]*$|@sha256:[0-9a-f]{64}$/.test(image) && !image.endsWith(":latest");

/** The stages that build, and what they make. */
const built = [
  { stage: "pages", made: ["web/dist", "site/dist"] },
  { stage: "packages", made: ["dist/downloads"] },
];

/** What is wrong with the image that a Dockerfile describes; `root` is the folder that it is built from. */
export const imageProblems = (dockerfile: string, dockerignore: string, root: string): readonly string[] => {
  const problems: string[] = validate(dockerfile).map(
    ({ message, range }) =>
      `line ${range.start.line + 1}: ${typeof message === "string" ? message : message.value}`,
  );
  const instructions = readDockerfile(dockerfile);
  const all = (wanted: string) => instructions.filter(({ name }) => name === wanted);

  const stages = new Set<string>();
  for (const { value } of all("FROM")) {
    const [image = "", , stage] = value.split(/\s+/);
    if (!stages.has(image) && !pinned(image)) problems.push(`FROM ${image} is not pinned`);
    if (stage) stages.add(stage);
  }

  const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === "FROM"));
  const user = lastStage.findLast(({ name }) => name === "USER")?.value;
  if (!user || /^(root|0)(:|$)/.test(user)) problems.push(`the image runs as ${user ?? "root"}`);

  const through = letThrough(dockerignore);
  for (const { name, value } of [...all("COPY"), ...all("ADD")]) {
    if (name === "ADD") problems.push("ADD fetches and unpacks: use COPY");
    const words = value.split(/\s+/);
    if (words.some((word) => word.startsWith("--from="))) continue;
    for (const source of words.filter((word) => !word.startsWith("--")).slice(0, -1)) {
      if (globSync(source, { cwd: root }).length === 0)
        problems.push(`COPY ${source}: there is no such file`);
      if (!through.some((path) => source === path || source.startsWith(`${path}/`)))
        problems.push(`COPY ${source}: .dockerignore keeps it out`);
    }
  }

  for (const { value } of all("RUN"))
    if (
      /npm (ci|install)/.test(value) &&
      !/npm ci .*(--omit=dev|--workspace (web|sdk)).*--ignore-scripts/.test(value)
    )
      problems.push(
        `RUN ${value}: not "npm ci --omit=dev --ignore-scripts", nor what the pages and the SDK are built with`,
      );
  // Building needs much that running does not: of such a stage, only what it made may come along.
  for (const { stage, made } of built) {
    const wanted = made.map((folder) => `--from=${stage} /app/${folder} ./${folder}`);
    const copies = lastStage
      .filter(({ name, value }) => name === "COPY" && value.includes(`--from=${stage} `))
      .map(({ value }) => value);
    for (const value of copies)
      if (!wanted.includes(value))
        problems.push(`COPY ${value}: only ${made.join(" and ")} come from the stage ${stage}`);
    for (const value of wanted)
      if (!copies.includes(value)) problems.push(`the image is without the ${stage}: COPY ${value}`);
  }

  for (const wanted of ["CMD", "HEALTHCHECK"] as const) {
    const value = lastStage.findLast(({ name }) => name === wanted)?.value;
    if (!value) problems.push(`there is no ${wanted}`);
    else
      try {
        commandWords(value.replace(/^.*?CMD\s+(?=\[)/, ""));
      } catch {
        problems.push(`${wanted} is not in JSON form: a shell between would swallow signals`);
      }
  }
  return problems;
};
