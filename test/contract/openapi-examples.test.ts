import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventTypes, progressEvent } from "@portage/contract";
import { expect, test } from "vitest";
import { createSchemaCheck } from "./openapi-check.ts";

interface MediaType {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface WithContent {
  readonly content?: Readonly<Record<string, MediaType>>;
}

type Operations = Record<
  string,
  Record<string, { requestBody?: WithContent; responses: Record<string, WithContent> }>
>;

interface Document {
  paths: Operations;
  webhooks: Operations;
}

const file = join(import.meta.dirname, "../../contract/openapi.json");
const read = () => JSON.parse(readFileSync(file, "utf8")) as Document;

/** What is wrong with the examples of a document: a body that has none, or one that is not as its schema says. */
const exampleProblems = (document: Document): readonly string[] => {
  const check = createSchemaCheck(document);
  return [...Object.entries(document.paths), ...Object.entries(document.webhooks)].flatMap(
    ([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody = {}, responses }]) =>
        Object.entries({ request: requestBody, ...responses }).flatMap(([status, { content = {} }]) =>
          Object.values(content).flatMap(({ schema, examples = {} }) => {
            const where = `${method} ${path} ${status}`;
            const values = Object.values(examples);
            if (values.length === 0) return [`${where}: no example`];
            return values.flatMap(({ value }) =>
              check(schema, value).map((problem) => `${where}: ${problem}`),
            );
          }),
        ),
      ),
  );
};

test("every request and every answer has an example, as its schema says", () => {
  expect(exampleProblems(read())).toEqual([]);
});

const change = (edit: (body: { examples?: Record<string, { value: unknown }> }) => void) => {
  const document = read();
  const body = document.paths["/imports/{id}"]?.["get"]?.responses["200"]?.content?.["application/json"];
  if (!body) throw new Error("The document has no answer to GET /imports/{id}.");
  edit(body);
  return exampleProblems(document);
};

test("an answer without an example is found", () => {
  expect(change((body) => delete body.examples)).toEqual(["get /imports/{id} 200: no example"]);
});

test("a placeholder is found, and so is an undocumented property", () => {
  const spoilt = (value: object) =>
    change((body) => {
      const good = body.examples?.["sample_completed"]?.value as object;
      body.examples = { spoilt: { value: { ...good, ...value } } };
    });
  expect(spoilt({})).toEqual([]);
  expect(spoilt({ id: "string" })).not.toEqual([]);
  expect(spoilt({ more: 1 })).not.toEqual([]);
});

test("the document describes a webhook for every type of event, with an example of this type", () => {
  const { webhooks } = read();
  const progress = progressEvent.shape.type.value;
  expect(Object.keys(webhooks)).toEqual([...eventTypes, progress]);
  for (const type of [...eventTypes, progress]) {
    const { examples = {} } = webhooks[type]?.["post"]?.requestBody?.content?.["application/json"] ?? {};
    expect(Object.values(examples).map(({ value }) => (value as { type: string }).type)).toEqual([type]);
  }
});
