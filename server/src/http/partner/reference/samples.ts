import type { Operation } from "../operation.ts";

/** A text as one word of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const curlSample = (baseUrl: string, { method, path, sample }: Operation): string => {
  const query = sample.query ? `?${new URLSearchParams(sample.query).toString()}` : "";
  const headers = {
    ...(sample.body && { "Content-Type": "application/json" }),
    ...sample.headers,
  };
  return [
    'curl -u "$PORTAGE_TOKEN:X"',
    // curl posts by itself when there is data
    ...(method === "POST" && !sample.body ? ["-X POST"] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(sample.body ? [`-d ${quoted(JSON.stringify(sample.body))}`] : []),
    quoted(`${baseUrl}${path.replace(":id", sample.id ?? "")}${query}`),
  ].join(" \\\n  ");
};

const sdkSample = (
  publicUrl: string,
  { sample }: Operation,
): string => `import { createPortage } from "@portage/sdk";

const portage = createPortage({
  url: ${JSON.stringify(publicUrl)},
  token: process.env.PORTAGE_TOKEN,
  mode: "sandbox", // or "simulator", or "production"
});

${sample.sdk}`;

/** Samples that work when pasted into a terminal or a module: in the sandbox, which changes nothing. */
export const codeSamples = (publicUrl: string, operation: Operation) => [
  { lang: "Shell", label: "curl", source: curlSample(`${publicUrl}/api/sandbox`, operation) },
  { lang: "JavaScript", label: "@portage/sdk", source: sdkSample(publicUrl, operation) },
];
