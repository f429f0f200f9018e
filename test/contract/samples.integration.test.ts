import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openApiText } from "../../checks/openapi.ts";
import { patienceMs } from "../support/patience.ts";
import { useApi } from "./api.ts";

const api = useApi();

interface DocumentedOperation {
  readonly operationId: string;
  readonly responses: Record<
    string,
    { content?: Record<string, { examples: Record<string, { value: unknown }> }> }
  >;
  readonly "x-codeSamples": readonly { readonly label: string; readonly source: string }[];
}

const { paths } = JSON.parse(openApiText()) as { paths: Record<string, Record<string, DocumentedOperation>> };
const operations = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .map((operation) => [operation.operationId, operation] as const);

const sampleOf = (operation: DocumentedOperation, label: string) =>
  operation["x-codeSamples"].find((sample) => sample.label === label)?.source ?? "";

/** The words of a command, as a shell splits it. */
const wordsOf = (command: string, variables: Readonly<Record<string, string>>) =>
  [...command.replaceAll("\\\n", " ").matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) =>
      single ?? (double ?? bare ?? "").replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? ""),
  );

/** What curl sends for a command, with the options that the samples use. */
const requestOf = ([curl, ...words]: readonly string[]) => {
  expect(curl).toBe("curl");
  const headers: Record<string, string> = {};
  let method: string | undefined;
  let body: string | undefined;
  let url: string | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const value = () => words[(at += 1)] ?? "";
    if (word === "-u") headers["authorization"] = `Basic ${Buffer.from(value()).toString("base64")}`;
    else if (word === "-X") method = value();
    else if (word === "-d") body = value();
    else if (word === "-H") {
      const [name = "", ...rest] = value().split(": ");
      headers[name.toLowerCase()] = rest.join(": ");
    } else if (word.startsWith("-") || url !== undefined) throw new Error(`What does ${word} mean?`);
    else url = word;
  }
  const { origin, pathname, search } = new URL(url ?? "");
  expect(origin).toBe("https://portage.example");
  return { method: method ?? (body === undefined ? "GET" : "POST"), path: pathname + search, headers, body };
};

test.each(operations)("%s: the sample for curl gets an answer as the examples show", async (_, operation) => {
  const { token } = await api.partner();
  const { body, ...request } = requestOf(wordsOf(sampleOf(operation, "curl"), { PORTAGE_TOKEN: token }));
  const { status, text, json } = await api.ask({ ...request, ...(body !== undefined && { body }) });
  expect([200, 201]).toContain(status);
  const content = operation.responses[String(status)]?.content?.["application/json"];
  if (content) expect(Object.values(content.examples).map(({ value }) => value)).toContainEqual(json);
  else expect(text).toBe("");
});

test.each(operations)("%s: the sample for the SDK runs as it is", async (_, operation) => {
  const { token } = await api.partner();
  const source = sampleOf(operation, "@portage/sdk").replace("https://portage.example", api.origin);
  const running = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", source], {
    cwd: join(import.meta.dirname, "../.."),
    env: { ...process.env, PORTAGE_TOKEN: token },
    timeout: patienceMs,
  });
  // Rejects if the process ends with another code than 0.
  await expect(running).resolves.toBeDefined();
});
