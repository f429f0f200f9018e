import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Source {
  readonly file: string;
  readonly text: string;
}

const isStore = (file: string) => /(^|\/)store(-[a-z-]+)?\.ts$/.test(file);

/** How a file breaks the rule for text with `$1` through pg: docs/adr/0002-sql-kysely-forward-only.md. */
export const sqlViolations = ({ file, text }: Source): readonly string[] => {
  if (!isStore(file)) return /\.pool\b/.test(text) ? [`${file}: only a store sends SQL`] : [];
  const sendsText = /\.pool\b|\.query[<(]/.test(text);
  const saysHot = text.startsWith("// Hot: ");
  const usesKysely = /from "kysely"|\.sql\b/.test(text);
  if (sendsText && !saysHot)
    return [`${file}: sends text through pg, so its first line must say why it is hot ("// Hot: …")`];
  if (!sendsText && saysHot) return [`${file}: says that it is hot, but sends no text through pg`];
  if (sendsText && usesKysely) return [`${file}: a hot file sends all of its statements through pg`];
  return [];
};

/** The layers that know the schema. */
export const readSqlSources = (root: string): readonly Source[] =>
  globSync("server/src/{background,engine,features,http}/**/*.ts", { cwd: root })
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
