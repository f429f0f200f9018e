interface Rule {
  readonly name: string;
  readonly comment: string;
}

const rulesFile = new URL("../../.dependency-cruiser.mjs", import.meta.url).href;
const { default: config } = (await import(rulesFile)) as { default: { forbidden: readonly Rule[] } };

/** "server/src/http may import the contract, server/src/features, and nothing else of ours." */
const sentence = /^(\S+) may import (.+), and nothing else of ours\.$/;

const layers = () =>
  config.forbidden.flatMap(({ comment }) => {
    const [, folder, allowed] = sentence.exec(comment) ?? [];
    if (folder === undefined || allowed === undefined) return [];
    return [
      { folder, allowed: allowed.split(", ").map((each) => (each === "the contract" ? "contract" : each)) },
    ];
  });

const idOf = (folder: string) => folder.replaceAll(/[^a-z]/g, "_");

/** Leaves out what follows from other arrows: main → http → features says that main → features is allowed too. */
const direct = (all: ReturnType<typeof layers>, from: string, to: string) =>
  !all.some(
    ({ folder, allowed }) =>
      folder !== from &&
      folder !== to &&
      allowed.includes(to) &&
      all.find((each) => each.folder === from)?.allowed.includes(folder) === true,
  );

/** docs/architecture/layers.md: who may import whom, from the rules that `npm run imports` checks. */
export const layersPage = (): string => {
  const all = layers();
  if (all.length < 5) throw new Error("The rules of .dependency-cruiser.mjs have another form now.");
  const edges = all.flatMap(({ folder, allowed }) =>
    allowed
      .filter((to) => to !== folder && direct(all, folder, to))
      .map((to) => `  ${idOf(folder)} --> ${idOf(to)}`),
  );
  return `# Layers

Made from \`.dependency-cruiser.mjs\` by \`npm run docs:generate\`: change the rules, not this page.

Each folder may import itself and the folders that the table names. The diagram leaves out arrows to a folder that a longer way leads to
as well. \`npm run imports\` fails for any other import, and each rule has a test that breaks it ([ADR 3](../adr/0003-layout-and-import-rules.md)).

\`\`\`mermaid
flowchart TB
${all.map(({ folder }) => `  ${idOf(folder)}["${folder}"]`).join("\n")}
${edges.join("\n")}
\`\`\`

| folder | may import |
| --- | --- |
${all
  .map(
    ({ folder, allowed }) =>
      `| \`${folder}\` | ${
        allowed
          .filter((each) => each !== folder)
          .map((each) => `\`${each}\``)
          .join(", ") || "none of our code"
      } |`,
  )
  .join("\n")}
`;
};
