import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";

interface Source {
  readonly file: string;
  readonly text: string;
}

interface Catalogues {
  readonly [namespace: string]: unknown;
}

/** Attributes whose text people read or hear. */
const spoken = new Set(["aria-label", "title", "alt", "placeholder", "label", "legend", "caption"]);

const parse = ({ file, text }: Source) =>
  ts.createSourceFile(
    file,
    text,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );

const isWord = (text: string) => /\p{L}{2,}/u.test(text);

const walk = (node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
};

/** Literal texts in a page that no catalogue has. */
export const literalTexts = (source: Source): readonly string[] => {
  const found: string[] = [];
  walk(parse(source), (node) => {
    if (ts.isJsxText(node) && isWord(node.text)) found.push(node.text.trim());
    if (ts.isJsxExpression(node) && node.expression && ts.isStringLiteralLike(node.expression)) {
      const inText = ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent);
      if (inText && isWord(node.expression.text)) found.push(node.expression.text);
    }
    if (ts.isJsxAttribute(node) && node.initializer && ts.isStringLiteral(node.initializer))
      if (spoken.has(node.name.getText()) && isWord(node.initializer.text)) found.push(node.initializer.text);
  });
  return found.map((text) => `${source.file}: “${text}”`);
};

/** "a.b" of a catalogue; plural forms count as one key. */
export const keysOf = (catalogue: unknown, prefix = ""): readonly string[] =>
  typeof catalogue === "string"
    ? [prefix.replace(/_(zero|one|two|few|many|other)$/, "")]
    : Object.entries(catalogue as object).flatMap(([key, value]) =>
        keysOf(value, prefix === "" ? key : `${prefix}.${key}`),
      );

/**
 * The keys that a file may use: whole keys, and patterns for keys with `${…}`. All its string literals count, because
 * code also picks a key first and translates it later; only catalogues that it names, and that of its own folder.
 */
const askedIn = (
  source: Source,
): readonly { readonly namespaces: readonly string[]; readonly key: RegExp }[] => {
  const namespaces = [/\/(?:screens\/)?([a-z-]+)\/[^/]+$/.exec(source.file)?.[1] ?? ""];
  const keys: RegExp[] = [];
  const pattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  walk(parse(source), (node) => {
    // A key includes everything below it: t("ui", { returnObjects: true }).
    if (ts.isStringLiteralLike(node)) {
      namespaces.push(node.text);
      keys.push(new RegExp(`^${pattern(node.text)}(\\..+)?$`));
    }
    if (!ts.isTemplateExpression(node)) return;
    const rest = node.templateSpans.map(({ literal }) => `[^.]+${pattern(literal.text)}`).join("");
    keys.push(new RegExp(`^${pattern(node.head.text)}${rest}(\\..+)?$`));
  });
  return keys.map((key) => ({ namespaces, key }));
};

/** Keys that no page uses. The compiler checks that every used key exists. */
export const unusedKeys = (catalogues: Catalogues, sources: readonly Source[]): readonly string[] => {
  const asked = sources.flatMap(askedIn);
  return Object.entries(catalogues).flatMap(([namespace, catalogue]) =>
    [...new Set(keysOf(catalogue))]
      .filter((key) => !asked.some((each) => each.namespaces.includes(namespace) && each.key.test(key)))
      .map((key) => `${namespace}: ${key}`),
  );
};

type Application = "wizard" | "console";

export const readPageSources = (root: string, application: Application): readonly Source[] =>
  globSync(`web/{ui,client,${application}}/**/*.{ts,tsx}`, { cwd: root })
    .filter((file) => !/\.(test|d)\.ts$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

export const readCatalogues = (root: string, application: Application): Catalogues =>
  Object.fromEntries(
    globSync(`web/${application}/i18n/en/*.json`, { cwd: root }).map((file) => [
      basename(file, ".json"),
      JSON.parse(readFileSync(join(root, file), "utf8")) as unknown,
    ]),
  );
