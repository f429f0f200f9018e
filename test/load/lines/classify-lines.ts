import { basename, dirname, join } from "node:path";
import ts from "typescript";

/** What a line of a connector is for, by the declaration that it belongs to. */
export const purposes = [
  "row schemas",
  "streams",
  "requests",
  "conversions",
  "words",
  "settings",
  "manifest",
  "types",
  "imports",
  "blank",
] as const;

export type Purpose = (typeof purposes)[number];
export type LineCounts = Readonly<Record<Purpose, number>>;

const noLines = (): Record<Purpose, number> =>
  Object.fromEntries(purposes.map((each) => [each, 0])) as Record<Purpose, number>;

/** By what only such a declaration has; the first that fits. */
const streamMakers = /\b(?:list|child|record)Stream\(|\b(?:Source|Destination)Stream\b/;
const calls = /\bhttp\b|\bask[A-Z]\w*\(|\.send\(|\.download\(/;

const initializerOf = (statement: ts.Statement): ts.Expression | undefined => {
  if (!ts.isVariableStatement(statement)) return undefined;
  let found = statement.declarationList.declarations[0]?.initializer;
  while (found && (ts.isAsExpression(found) || ts.isSatisfiesExpression(found))) found = found.expression;
  return found;
};

/** `z` of `z.object(…).nullish()`. */
const rootOf = (expression: ts.Expression): string => {
  let root: ts.Expression = expression;
  while (ts.isCallExpression(root) || ts.isPropertyAccessExpression(root)) root = root.expression;
  return ts.isIdentifier(root) ? root.text : "";
};

const isWords = (expression: ts.Expression): boolean => {
  if (ts.isObjectLiteralExpression(expression))
    return expression.properties.every((each) => ts.isPropertyAssignment(each) && isWords(each.initializer));
  if (ts.isArrayLiteralExpression(expression)) return expression.elements.every(isWords);
  if (ts.isNewExpression(expression)) return (expression.arguments ?? []).every(isWords);
  return ts.isLiteralExpression(expression) || ts.isRegularExpressionLiteral(expression);
};

const purposeOf = (file: string, statement: ts.Statement, text: string): Purpose => {
  if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) return "imports";
  if (basename(file) === "settings.ts") return "settings";
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return "types";
  const initializer = initializerOf(statement);
  if (initializer && rootOf(initializer) === "z") return "row schemas";
  if (/\bmanifest: \{/.test(text)) return "manifest";
  if (initializer && isWords(initializer)) return "words";
  if (streamMakers.test(text)) return "streams";
  return calls.test(text) ? "requests" : "conversions";
};

/** Sorts every line of a file; a comment belongs to what it stands above. */
export const classifyLines = (file: string, text: string): LineCounts => {
  const counts = noLines();
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (at: number) => parsed.getLineAndCharacterOfPosition(at).line;
  const purposeByLine = new Map<number, Purpose>();
  for (const statement of parsed.statements) {
    const own = text.slice(statement.getStart(), statement.getEnd());
    const purpose = purposeOf(file, statement, own);
    for (let line = lineOf(statement.getFullStart()); line <= lineOf(statement.getEnd()); line += 1)
      if (!purposeByLine.has(line)) purposeByLine.set(line, purpose);
  }
  for (const [line, words] of text.split("\n").slice(0, -1).entries())
    counts[words.trim() === "" ? "blank" : (purposeByLine.get(line) ?? "conversions")] += 1;
  return counts;
};

export const addCounts = (all: readonly LineCounts[]): LineCounts => {
  const sum = noLines();
  for (const counts of all) for (const each of purposes) sum[each] += counts[each];
  return sum;
};

const importsOf = (file: string, text: string): readonly string[] =>
  [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, path = ""]) => join(dirname(file), path));

const reachable = (roots: readonly string[], texts: ReadonlyMap<string, string>): ReadonlySet<string> => {
  const found = new Set<string>();
  const waiting = [...roots];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const text = texts.get(file);
    if (text === undefined || found.has(file)) continue;
    found.add(file);
    waiting.push(...importsOf(file, text));
  }
  return found;
};

export type Side = "source" | "destination" | "shared";

/**
 * Which role a file serves. In a connector with both roles: files named after one of them, and what only those import; the
 * rest is shared. `texts` is by path.
 */
export const sidesOf = (
  texts: ReadonlyMap<string, string>,
  roles: readonly string[],
): ReadonlyMap<string, Side> => {
  const [only, other] = roles;
  const files = [...texts.keys()];
  if (only !== undefined && other === undefined) return new Map(files.map((file) => [file, only as Side]));
  const named = (role: string) => files.filter((file) => basename(file).includes(role));
  const reading = reachable(named("source"), texts);
  const writing = reachable(named("destination"), texts);
  return new Map(
    files.map((file) => {
      if (writing.has(file) && !reading.has(file)) return [file, "destination"];
      return [file, reading.has(file) && !writing.has(file) ? "source" : "shared"];
    }),
  );
};
