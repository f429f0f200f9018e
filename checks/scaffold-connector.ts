import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";

const template = join(import.meta.dirname, "connector-template");

interface Names {
  /** Folder name and `source_tool`: acme-desk. */
  readonly name: string;
  /** The name of the export: acmeDesk. */
  readonly identifier: string;
  /** The label: Acme Desk. */
  readonly label: string;
}

const namesOf = (name: string): Names => ({
  name,
  identifier: name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  label: name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" "),
});

const isIdentifier = (word: string): boolean => {
  try {
    void new Script(`"use strict"; async () => { const ${word} = 1; };`);
    return true;
  } catch {
    return false;
  }
};

/** Other identifiers in the files that use the connector's identifier. */
const takenIn = (text: string): readonly string[] =>
  [...text.matchAll(/\bconst (\w+)|import (?:type )?\{([^}]*)\}/g)].flatMap(
    ([, declared = "", imported = ""]) => [
      declared,
      ...imported.split(",").map((each) => each.replace(/.*\b(?:type|as) /, "").trim()),
    ],
  );

const filled = (text: string, { name, identifier, label }: Names) =>
  text.replaceAll("my-tool", name).replaceAll("myTool", identifier).replaceAll("My Tool", label);

/** Where a file of the template goes. The suite is beside those of the other tools, where every check finds it. */
const placeOf = (file: string, { name }: Names): string =>
  file === "suite.ts" ? `test/suites/tools/${name}.ts` : `connectors/${name}/${file}`;

/** The text with its imports as seen from there. */
const moved = (file: string, text: string, { name }: Names): string =>
  file === "suite.ts"
    ? text
        .replaceAll('"./', `"../../../connectors/${name}/`)
        .replaceAll('"../../test/suites/', '"../')
        .replaceAll('"../../test/', '"../../')
    : text.replaceAll('"./suite.ts"', `"../../test/suites/tools/${name}.ts"`);

const nameProblem = ({ name, identifier }: Names, files: readonly string[]): string | undefined => {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length < 2 || name.length > 41)
    return `"${name}" can't be a connector's name. Use 2 to 41 small letters and digits, words joined by one hyphen, a letter first: acme-desk.`;
  const taken = files.some((text) => text.includes("myTool") && takenIn(text).includes(identifier));
  if (taken || !isIdentifier(identifier))
    return `"${name}" can't be exported as ${identifier}, which is taken. Add a word: ${name}-app.`;
  return undefined;
};

/** The exports of the index, one per line, sorted by folder name. */
const withExport = (index: string, { name, identifier }: Names): string => {
  const line = `export { ${identifier} } from "./${name}/index.ts";`;
  const lines = index.split("\n");
  const folderOf = (text: string) => /from "\.\/([^/]+)\//.exec(text)?.[1];
  const after = lines.findIndex((text) => (folderOf(text) ?? "") > name);
  const end = lines.findLastIndex((text) => folderOf(text) !== undefined) + 1;
  return lines.toSpliced(after === -1 ? end : after, 0, line).join("\n");
};

export type Scaffolded =
  | { readonly kind: "made"; readonly files: readonly string[] }
  | { readonly kind: "refused"; readonly why: string };

/** Creates connectors/NAME and its suite from the template in the repository at `root`, and exports the connector. */
export const scaffoldConnector = (root: string, name: string): Scaffolded => {
  const names = namesOf(name);
  const sources = readdirSync(template).map(
    (file) => [file, readFileSync(join(template, file), "utf8")] as const,
  );
  const problem = nameProblem(
    names,
    sources.map(([, text]) => text),
  );
  if (problem) return { kind: "refused", why: problem };
  const folder = `connectors/${name}`;
  if (existsSync(join(root, folder)))
    return {
      kind: "refused",
      why: `${folder} is there already. Choose another name, or remove that folder and its line in connectors/index.ts.`,
    };
  const suite = placeOf("suite.ts", names);
  if (existsSync(join(root, suite)))
    return { kind: "refused", why: `${suite} is there already. Choose another name, or remove that file.` };
  const indexFile = join(root, "connectors/index.ts");
  const index = readFileSync(indexFile, "utf8");
  if (index.includes(`"./${name}/`) || new RegExp(`\\b${names.identifier}\\b`).test(index))
    return {
      kind: "refused",
      why: `connectors/index.ts exports ${names.identifier} already. Choose another name, or remove that line.`,
    };
  mkdirSync(join(root, folder));
  for (const [file, text] of sources)
    writeFileSync(join(root, placeOf(file, names)), moved(file, filled(text, names), names));
  writeFileSync(indexFile, withExport(index, names));
  return { kind: "made", files: sources.map(([file]) => placeOf(file, names)) };
};
