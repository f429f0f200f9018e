import { readFileSync } from "node:fs";
import { join } from "node:path";
import { familyStreams } from "@portage/connector-kit";
import ts from "typescript";

const source = join(import.meta.dirname, "../../connector-kit/src");

/** In reading order; a file that exports something and is in no section fails the page. */
const sections: readonly { readonly title: string; readonly files: readonly string[] }[] = [
  { title: "The connector", files: ["connector", "manifest"] },
  { title: "What a call gets", files: ["io"] },
  { title: "Reading", files: ["source", "page", "date-range"] },
  {
    title: "Pagers",
    files: [
      "pagers/to-page",
      "pagers/page-pager",
      "pagers/offset-pager",
      "pagers/keyset-pager",
      "pagers/token-pager",
      "pagers/link-pager",
      "pagers/pages",
      "pagers/window-pager",
      "pagers/expiring-pager",
      "pagers/newest-first-pager",
      "pagers/graphql-pager",
    ],
  },
  {
    title: "Streams from descriptions",
    files: [
      "streams/list-stream",
      "streams/share-answer",
      "writing/record-stream",
      "writing/find-by-key",
      "writing/holds",
    ],
  },
  {
    title: "Calls",
    files: ["streams/ask", "refusals", "once", "load-together", "in-chunks", "streams/addresses"],
  },
  {
    title: "Writing",
    files: [
      "destination",
      "field-setup",
      "write-record",
      "writing/write-each",
      "writing/write-together",
      "writing/await-job",
      "writing/outcomes",
      "writing/others-added",
      "writing/marker",
      "writing/foreign-id",
      "writing/origin-line",
      "writing/origin",
      "writing/pick-by-word",
      "writing/truncate",
      "http/effects",
      "removed",
      "removal",
      "silence",
      "counted-file",
    ],
  },
  { title: "Comparing", files: ["compare-records", "added-fields"] },
  { title: "Errors", files: ["errors"] },
  {
    title: "Records and families",
    files: [
      "families/stream",
      "families/record-parts",
      "families/custom-field",
      "families/references",
      "families/link-of",
      "families/index",
    ],
  },
  { title: "Addresses", files: ["instance-id", "path-within"] },
];

const parse = (file: string) =>
  ts.createSourceFile(file, readFileSync(join(source, file), "utf8"), ts.ScriptTarget.Latest, true);

/** The names that index.ts exports, by the file that they come from. */
const exported = (): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const statement of parse("index.ts").statements) {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier || !statement.exportClause) continue;
    if (!ts.isStringLiteral(statement.moduleSpecifier) || !ts.isNamedExports(statement.exportClause))
      continue;
    const file = statement.moduleSpecifier.text.replace(/^\.\/|\.ts$/g, "");
    const names = statement.exportClause.elements.map(({ name }) => name.text);
    found.set(file, [...(found.get(file) ?? []), ...names]);
  }
  return found;
};

const commentOf = (node: ts.Node, file: ts.SourceFile): string => {
  const ranges = ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? [];
  const text = ranges
    .map(({ pos, end }) => file.text.slice(pos, end))
    .findLast((each) => each.startsWith("/**"));
  return (text ?? "")
    .replaceAll(/^\/\*\*|\*\/$/g, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\*\s?/, "").trim())
    .join(" ")
    .replaceAll(/\{@link (\w+)\}/g, "`$1`")
    .trim();
};

/** A function without its body: parameters and result are its interface. */
const signatureOf = (name: string, node: ts.SignatureDeclaration, file: ts.SourceFile) => {
  const typeParameters = node.typeParameters?.map((each) => each.getText(file)).join(", ");
  const parameters = node.parameters.map((each) => each.getText(file).replaceAll(/\s+/g, " ")).join(", ");
  const result = node.type ? `: ${node.type.getText(file).replaceAll(/\s+/g, " ")}` : "";
  return `${name}${typeParameters ? `<${typeParameters}>` : ""}(${parameters})${result}`;
};

const withoutExport = (node: ts.Node, file: ts.SourceFile) => node.getText(file).replace(/^export /, "");

const variableOf = (name: string, file: ts.SourceFile) => {
  for (const statement of file.statements.filter(ts.isVariableStatement)) {
    const variable = statement.declarationList.declarations.find((each) => each.name.getText(file) === name);
    if (variable) return { statement, value: variable.initializer };
  }
  return undefined;
};

/** A type that is inferred from a schema says nothing without it. */
const schemaOf = (code: string, file: ts.SourceFile): string => {
  const name = /z\.infer<typeof (\w+)>/.exec(code)?.[1];
  const schema = name === undefined ? undefined : variableOf(name, file)?.statement;
  return schema ? `${withoutExport(schema, file)}\n` : "";
};

const longestConstant = 200;

const declarationsOf = (
  name: string,
  file: ts.SourceFile,
): { comment: string; code: string | null } | undefined => {
  for (const node of file.statements) {
    if ((ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && node.name.text === name) {
      const code = withoutExport(node, file);
      return { comment: commentOf(node, file), code: `${schemaOf(code, file)}${code}` };
    }
    if (ts.isFunctionDeclaration(node) && node.name?.text === name)
      return { comment: commentOf(node, file), code: signatureOf(name, node, file) };
    if (ts.isClassDeclaration(node) && node.name?.text === name) {
      const members = node.members
        .filter(ts.isPropertyDeclaration)
        .map((member) => `  ${member.getText(file).replace(/\s*=.*$/s, ";")}`);
      const heritage = node.heritageClauses?.map((each) => ` ${each.getText(file)}`).join("") ?? "";
      return { comment: commentOf(node, file), code: `class ${name}${heritage} {\n${members.join("\n")}\n}` };
    }
  }
  const variable = variableOf(name, file);
  if (!variable) return undefined;
  const { statement, value } = variable;
  const whole = withoutExport(statement, file);
  return {
    comment: commentOf(statement, file),
    code:
      value && ts.isArrowFunction(value)
        ? signatureOf(name, value, file)
        : whole.length <= longestConstant
          ? whole
          : null,
  };
};

const describe = (name: string, file: string): readonly string[] => {
  const found = declarationsOf(name, parse(`${file}.ts`));
  // families/index.ts only gathers what other files declare.
  if (!found) return [];
  return [
    `### ${name}`,
    "",
    ...(found.comment === "" ? [] : [found.comment, ""]),
    ...(found.code === null ? [] : ["```typescript", found.code, "```", ""]),
  ];
};

const codes = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");

const streamRows = () =>
  Object.entries(familyStreams).flatMap(([family, streams]) =>
    streams.map(
      ({ name, kind, parent, relations, addedFields }) =>
        `| \`${family}\` | \`${name}\` | ${kind} | ${parent === null ? "" : `\`${parent}\``} | ${codes(
          Object.keys(relations),
        )} | ${codes(addedFields)} |`,
    ),
  );

/** docs/connectors/interface.md: what `@portage/connector-kit` exports, from its types and their comments. */
export const kitPage = (): string => {
  const all = exported();
  const known = new Set(sections.flatMap(({ files }) => files));
  for (const file of all.keys())
    if (!known.has(file))
      throw new Error(`checks/reference/kit-page.ts has no section for ${file}.ts of the kit.`);
  const lines = sections.flatMap(({ title, files }) => [
    `## ${title}`,
    "",
    ...files.flatMap((file) => (all.get(file) ?? []).flatMap((name) => describe(name, file))),
  ]);
  return `# The interface of a connector

Made from the types of \`@portage/connector-kit\` by \`npm run docs:generate\`: change their comments, not this page.

[Write a connector in an afternoon](../write-a-connector.md) shows how the parts work together.

${lines.join("\n").trimEnd()}

## The streams of each family

A source converts its rows into these records, and a destination writes them. The columns are for the engine: people are matched
before anything is copied, a record is copied and removed with its parent, and relations are resolved to the copies. Added fields
came after the family's first version: a destination gets those that its \`addedFields\` names.

| family | stream | kind | parent | relations | added fields |
| --- | --- | --- | --- | --- | --- |
${streamRows().join("\n")}
`;
};
