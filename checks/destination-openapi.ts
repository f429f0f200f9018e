// `npm run generate` writes contract/destination-protocol.openapi.json from the schemas of the protocol and of the
// families; a test fails when the file is out of date.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { families } from "@portage/contract";
import {
  openCall,
  openPath,
  type ProtocolCall,
  protocolCalls,
  protocolErrors,
  protocolSchemas,
  replayWindowSeconds,
  uploadAnswer,
  uploadHeader,
  uploadPath,
} from "@portage/contract/destination-protocol";
import { familyStreams } from "@portage/connector-kit";
import { z } from "zod";
import { customValue } from "../connector-kit/src/families/custom-field.ts";
import { day, moment, richText, textReference, who } from "../connector-kit/src/families/record-parts.ts";

export const destinationOpenApiFile = join(
  import.meta.dirname,
  "../contract/destination-protocol.openapi.json",
);

const uri = (id: string) => `#/components/schemas/${id}`;

const componentsOf = (registry: typeof protocolSchemas) =>
  Object.entries(z.toJSONSchema(registry, { io: "input", uri }).schemas).map(
    ([id, { $schema: _, $id: __, ...schema }]) => [id, schema] as const,
  );

const streams = families.flatMap((family) => familyStreams[family]);
const nameOf = ({ family, name }: (typeof streams)[number]) => `${family}.${name}`;

/** Says of each added field that a destination has to name it. */
const markAdded = (id: string, schema: object): object => {
  const added = streams.find((stream) => nameOf(stream) === id)?.addedFields ?? [];
  if (added.length === 0) return schema;
  const { properties: fields } = schema as {
    properties: Readonly<Record<string, { readonly description: string }>>;
  };
  const properties = Object.entries(fields).map(([field, each]) => [
    field,
    added.includes(field)
      ? { ...each, description: `${each.description} Added later: sent if \`addedFields\` names it.` }
      : each,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
};

/** The families' records, so that the document alone is enough to write an implementation. */
const recordComponents = () => {
  const registry: typeof protocolSchemas = z.registry();
  const parts = {
    CustomValue: customValue,
    Day: day,
    Moment: moment,
    RichText: richText,
    TextReference: textReference,
    Who: who,
  };
  for (const [id, schema] of Object.entries(parts)) registry.add(schema as z.ZodType, { id });
  for (const stream of streams) registry.add(stream.schema, { id: nameOf(stream) });
  return componentsOf(registry).map(([id, schema]) => [id, markAdded(id, schema)] as const);
};

const components = () => {
  const all = new Map<string, object>([...componentsOf(protocolSchemas), ...recordComponents()]);
  const { description } = all.get("Record") as { description: string };
  all.set("Record", { description, anyOf: streams.map((stream) => ({ $ref: uri(nameOf(stream)) })) });
  return Object.fromEntries([...all].toSorted(([a], [b]) => a.localeCompare(b, "en")));
};

const json = (schema: object) => ({ "application/json": { schema } });

const reference = (schema: z.ZodType) => ({ $ref: uri(protocolSchemas.get(schema)?.id ?? "") });

const retryAfter = { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } } };

const errorAnswers = Object.fromEntries(
  Object.entries(protocolErrors).map(([status, [code, description]]) => [
    status,
    {
      description: `\`${code}\`: ${description}`,
      ...(["409", "429", "503"].includes(status) && { headers: retryAfter }),
      content: json({ $ref: uri("ProtocolError") }),
    },
  ]),
);

const header = (name: string, description: string, schema: object = { type: "string" }) => ({
  name,
  in: "header",
  required: true,
  description,
  schema,
});

const signatureParameters = [
  header("Webhook-Id", "Unique per attempt. Remember it for 5 minutes and refuse it the second time."),
  header("Webhook-Timestamp", "Seconds since 1970, of this attempt.", { type: "integer" }),
];

const operation = (id: string, { summary, description, request, answer }: ProtocolCall) => ({
  operationId: id,
  summary,
  description,
  parameters: signatureParameters,
  requestBody: { required: true, content: json(reference(request)) },
  responses: { 200: { description: "Done.", content: json(reference(answer)) }, ...errorAnswers },
});

const bytes = { "application/octet-stream": {} };

const upload = {
  operationId: "upload",
  summary: "Take the bytes of a file",
  description: `Sent before the \`write\` of the file's record, under the same key. Keep the bytes apart, and put in place what the same key had before. They become a file when that \`write\` comes and names their length and SHA-256; throw away what no \`write\` named within a day.

The signatures are about the text in \`${uploadHeader}\`, not about the bytes: these are passed on while they are being read from the old tool, so their digest is not known before the last one. Since the signed \`write\` names the digest, bytes that were changed on the way never become a file. Check the signature and the size before you read the first byte.`,
  parameters: [
    ...signatureParameters,
    header("Portage-Upload", "base64url of the JSON text of an UploadStatement.", {
      type: "string",
      contentMediaType: "application/json",
      contentEncoding: "base64url",
      contentSchema: { $ref: uri("UploadStatement") },
    }),
  ],
  requestBody: { required: true, content: bytes },
  responses: {
    200: { description: "Received.", content: json(reference(uploadAnswer)) },
    ...errorAnswers,
  },
};

const open = {
  operationId: "open",
  summary: "Give the bytes of a file",
  description:
    "Optional: asked only where `describe` says that the stream `opens`. It lets Portage compare copies with originals. A file that is gone is 404.",
  parameters: signatureParameters,
  requestBody: { required: true, content: json(reference(openCall)) },
  responses: { 200: { description: "The bytes.", content: bytes }, ...errorAnswers },
};

const introduction = `Implement these calls and the upload (\`createField\` and \`removeField\` are optional) under an address of your choice, and your tool is a destination: Portage fills it with your customers' data from the tools that they come from.

**Signatures.** Portage signs its calls as it signs webhooks, so one function of yours checks both. Every call has two signatures; check the one that you know:

- \`X-Authorization-Content-SHA256\`: lower-case hex HMAC-SHA256 of the raw body; the key is the whole secret as UTF-8;
- \`Webhook-Signature\` ([Standard Webhooks](https://www.standardwebhooks.com)): \`v1,\` and the base64 HMAC-SHA256 of \`{Webhook-Id}.{Webhook-Timestamp}.{raw body}\`; the key is what follows \`whsec_\`, decoded from base64.

Then check that the time (\`Webhook-Timestamp\`, and \`timestamp\` in the body) is within ${replayWindowSeconds / 60} minutes of yours, that \`call\` is the name of the address, and that you have not seen \`Webhook-Id\` before. Use one secret per account. All comparisons of signatures take the same time whatever they find.

**Keys.** Every record has an external key. The same key never makes a second record.

**Growth.** Families only get further streams and fields. A stream comes if you describe it, and a field marked “Added later” if the stream's \`addedFields\` names it; you need no change for those that you don't hold. Name them when you do: the next run brings their values.

**Time.** Answer within 60 seconds. Unknown properties are to be ignored: later versions only add.`;

/** The text of the committed document. */
export const destinationOpenApiText = (): string => {
  const paths = Object.fromEntries([
    ...Object.entries(protocolCalls).map(([id, call]) => [call.path, { post: operation(id, call) }] as const),
    [uploadPath, { post: upload }] as const,
    [openPath, { post: open }] as const,
  ]);
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Portage destination protocol",
      version: "1.0",
      description: introduction,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "https://desk.example/portage", description: "An address of yours" }],
    security: [{ standard: [] }, { classic: [] }],
    paths,
    components: {
      securitySchemes: {
        standard: { type: "apiKey", in: "header", name: "Webhook-Signature" },
        classic: { type: "apiKey", in: "header", name: "X-Authorization-Content-SHA256" },
      },
      schemas: components(),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
};

if (import.meta.main) writeFileSync(destinationOpenApiFile, destinationOpenApiText());
