import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Source {
  readonly file: string;
  readonly text: string;
}

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
const list = /^export (?:type )?\{([^}]*)\}( from\b)?/gm;

const importStatement = /^import [^;]*;/gm;

/** The names that a file declares for others. A re-export declares none, unless it gives another name. */
const declaredNames = (text: string): ReadonlySet<string> => {
  const imports = text.match(importStatement)?.join("\n") ?? "";
  const isImported = (name: string) => new RegExp(`\\b${name}\\b`).test(imports);
  const listed = [...text.matchAll(list)].flatMap(([, names = "", from]) =>
    names
      .replaceAll(/\/\/.*$/gm, "")
      .split(",")
      .map((name) => name.trim().replace(/^type /, ""))
      .filter((name) => name !== "" && (name.includes(" as ") || (from === undefined && !isImported(name))))
      .map((name) => name.replace(/^.* as /, "")),
  );
  return new Set([...[...text.matchAll(declaration)].map(([, name = ""]) => name), ...listed]);
};

/** Exported names that two files declare: a name makes sense outside its file only if no other file has it. */
export const nameViolations = (sources: readonly Source[]): readonly string[] => {
  const filesOf = new Map<string, string[]>();
  for (const { file, text } of sources)
    for (const name of declaredNames(text)) filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
  return [...filesOf].flatMap(([name, files]) =>
    files.length > 1 ? [`${name}: exported by ${files.join(" and ")}. Rename one by what it is`] : [],
  );
};

export const readServerSources = (root: string): readonly Source[] =>
  globSync("server/src/**/*.ts", { cwd: root })
    .filter((file) => !file.endsWith(".test.ts"))
    .toSorted()
    .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
