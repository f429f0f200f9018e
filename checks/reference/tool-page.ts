import {
  type Connector,
  type DestinationStream,
  type FamilyStream,
  familyStreams,
  type FieldChange,
  type Manifest,
  type RateLimit,
  type Role,
  type SourceStream,
} from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import { z } from "zod";
import type { ToolSuite } from "../../test/suites/suite.ts";
import { summarizeClaims } from "../../test/vendors/claims.ts";
import { readExcerpt } from "../../test/vendors/kit/excerpt-file.ts";
import type { VendorTool } from "../../test/vendors/tools.ts";

export interface ToolFacts {
  readonly connector: Connector;
  readonly suite: ToolSuite | undefined;
  /** If a stand-in takes the tool's place in tests. */
  readonly vendor: VendorTool | undefined;
}

type AnySource = SourceStream;
type AnyDestination = DestinationStream;

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
const yesOr = (is: boolean | undefined, otherwise = "") => (is ? "yes" : otherwise);

const leftOut = ({ manifest }: Connector, stream: string, role: Role): string =>
  manifest.roles.includes(role)
    ? (manifest.leavesOut?.find((each) => each.stream === stream && each.role === role)?.why ?? "")
    : "";

/** Whether the family's records of this kind have an author at all. */
const hasAuthor = (schema: FamilyStream["schema"]): boolean => {
  const { properties = {} } = z.toJSONSchema(schema, { unrepresentable: "any" });
  return "author" in properties;
};

const familyTable = (connector: Connector, family: Family): string => {
  const { roles } = connector.manifest;
  const sources: readonly AnySource[] = connector.source?.[family] ?? [];
  const destinations: readonly AnyDestination[] = connector.destination?.[family] ?? [];
  const rows = familyStreams[family].map(({ name, label, schema }) => {
    const source = sources.find(({ stream }) => stream.name === name);
    const destination = destinations.find(({ stream }) => stream.name === name);
    const keeps = (guarantee: AnyDestination["guarantees"][number]) =>
      destination
        ? yesOr(destination.guarantees.includes(guarantee), connector.offers ? "as it says" : "no")
        : "";
    const why = [
      ...new Set([leftOut(connector, name, "source"), leftOut(connector, name, "destination")]),
    ].filter((text) => text !== "");
    return [
      label,
      ...(roles.includes("source")
        ? [yesOr(source !== undefined, "no"), yesOr(source?.delta || source?.changesWithParent)]
        : []),
      ...(roles.includes("destination")
        ? [
            yesOr(destination !== undefined, "no"),
            keeps("backdates"),
            hasAuthor(schema) ? keeps("keeps-author") : "",
            keeps("silent"),
          ]
        : []),
      why.join(" "),
    ];
  });
  return table(
    [
      "object",
      ...(roles.includes("source") ? ["read", "changes alone"] : []),
      ...(roles.includes("destination") ? ["written", "dates kept", "author kept", "silent"] : []),
      "why not",
    ],
    rows,
  );
};

const objects = (connector: Connector): readonly string[] => [
  "## What moves",
  ...(connector.manifest.roles.includes("source")
    ? ["*changes alone*: a later pass reads only what changed; the others are read again and compared."]
    : []),
  ...(connector.manifest.roles.includes("destination")
    ? [
        "*dates kept* and *author kept*: the copy has the original's. *silent*: no mail or notification leaves because of it.",
      ]
    : []),
  ...(connector.offers
    ? ["Installations differ: each says when it is connected what it takes and keeps."]
    : []),
  ...connector.manifest.families.flatMap((family) => [`### ${family}`, familyTable(connector, family)]),
];

const unitOf = (perMs: number): string => {
  const units: readonly (readonly [number, string])[] = [
    [3_600_000, "hour"],
    [60_000, "minute"],
    [1000, "second"],
  ];
  const [ms, unit] = units.find(([each]) => perMs % each === 0) ?? [1, "millisecond"];
  return perMs === ms ? unit : `${perMs / ms} ${unit}s`;
};

const limitText = ({ requests, perMs, only, class: kind, by }: RateLimit): string =>
  `- ${requests.toLocaleString("en")} ${kind === undefined ? "" : `“${kind}” `}${only === undefined ? "" : `${only} `}requests per ${unitOf(perMs)}${by === "cost" ? ", by their cost" : ""}.`;

const limits = ({ limits: declared, quotaHeaders = [], concurrency }: Manifest): readonly string[] => [
  "## Limits",
  [
    ...declared.map(limitText),
    ...quotaHeaders.map(({ remaining }) => {
      const header = typeof remaining === "string" ? remaining : remaining.header;
      return `- Portage keeps to what answers say is left (\`${header}\`).`;
    }),
    ...(declared.length + quotaHeaders.length === 0 ? ["- None is known; a 429 is waited for."] : []),
    `- At most ${concurrency} requests at the same time.`,
  ].join("\n"),
];

const settingMeta = z.looseObject({
  title: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  role: z.string().optional(),
  where: z.array(z.string()).optional(),
  notThere: z.string().optional(),
});

const signIns: Readonly<Record<Manifest["auth"]["kind"], string>> = {
  secret: "With a key or a password, which Portage stores sealed.",
  oauth2: "On the tool's own page: Portage never sees a password.",
  choice:
    "With a key, which Portage stores sealed, or on the tool's own page if the operator registered Portage with the tool.",
  none: "There is none: the source is a set of files.",
};

const settings = ({ settings: schema, auth }: Manifest): readonly string[] => {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as {
    properties?: Record<string, unknown>;
  };
  // The server fills it in.
  const hidden = auth.kind === "none" ? auth.filesOf : undefined;
  const fields = Object.entries(properties)
    .filter(([name]) => name !== hidden)
    .map(([name, given]) => ({ name, ...settingMeta.parse(given) }));
  const rows = fields.map(({ title, name, description = "", role, default: preset }) => [
    title ?? name,
    `${role === undefined ? "" : `Only as a ${role}. `}${description}`,
    preset === undefined || preset === "" ? "" : `\`${JSON.stringify(preset)}\``,
  ]);
  const guides = fields.flatMap(({ title, where = [], notThere }) =>
    where.length === 0
      ? []
      : [
          `**${title}**`,
          where.map((step, index) => `${index + 1}. ${step}`).join("\n"),
          ...(notThere === undefined ? [] : [notThere]),
        ],
  );
  return [
    "## Sign-in",
    signIns[auth.kind],
    table(["setting", "what", "default"], rows),
    ...(guides.length === 0 ? [] : ["### Where to find it", ...guides]),
  ];
};

const byReason = (drops: readonly FieldChange[]): readonly (readonly string[])[] => {
  const grouped = Map.groupBy(drops, ({ change, why }) => JSON.stringify([change, why]));
  return [...grouped].map(([key, same]) => {
    const [change = "", why = ""] = JSON.parse(key) as string[];
    return [same.map(({ field }) => `\`${field}\``).join(", "), change, why];
  });
};

const losses = ({ manifest, destination, offers }: Connector): readonly string[] => {
  if (!manifest.roles.includes("destination")) return [];
  const rows = manifest.families.flatMap((family) =>
    (destination?.[family] ?? []).flatMap(({ stream, drops = [] }) =>
      byReason(drops).map((row) => [
        manifest.families.length > 1 ? `${stream.label} (${family})` : stream.label,
        ...row,
      ]),
    ),
  );
  const none = offers
    ? "Each installation says for itself which fields it can't hold."
    : "Every field of the objects above is held.";
  return [
    "## What is lost, and why",
    "For every record alike; what a single record loses besides is in the report.",
    rows.length === 0 ? none : table(["object", "fields", "change", "why"], rows),
  ];
};

/** Calls nothing: a connector that has to ask its tool says nothing here. */
const offline = {
  settings: {},
  scope: {},
  signal: new AbortController().signal,
  http: {
    send: () => Promise.reject(new Error("The documentation calls no tool.")),
    download: () => Promise.reject(new Error("The documentation calls no tool.")),
  },
} as unknown as Parameters<NonNullable<AnyDestination["fieldSetup"]>["creatable"]>[0];

const fieldText = async ({ fieldSetup }: AnyDestination): Promise<string> => {
  const known = await fieldSetup?.creatable(offline).catch(() => null);
  const ownKey = fieldSetup?.createKeyField ? " The field that holds external keys is created too." : "";
  if (!known) return `An import creates missing fields, as far as the account may.${ownKey}`;
  const { types, why = "" } = known;
  return types.length === 0 ? why : `An import creates missing fields: ${types.join(", ")}. ${why}${ownKey}`;
};

const setUp = async ({ manifest, destination }: Connector): Promise<readonly string[]> => {
  if (!manifest.roles.includes("destination")) return [];
  const streams = manifest.families.flatMap((family) => destination?.[family] ?? []);
  const texts = new Map<string, Set<string>>();
  for (const stream of streams.filter(({ fieldSetup }) => fieldSetup)) {
    const text = (await fieldText(stream)).trim();
    texts.set(text, (texts.get(text) ?? new Set()).add(stream.stream.label));
  }
  const lines = [...texts].map(([text, labels]) => `- ${[...labels].join(", ")}: ${text}`);
  const labelsOf = (is: (stream: AnyDestination) => boolean) =>
    [...new Set(streams.filter(is).map(({ stream }) => stream.label))].join(", ");
  const kept = labelsOf(({ remove }) => remove === undefined);
  const notes = Map.groupBy(
    streams.filter(({ undoNote }) => undoNote !== undefined),
    ({ undoNote }) => undoNote,
  );
  return [
    "## Custom fields",
    lines.length === 0 ? "This connector creates no fields." : lines.join("\n"),
    "## Undo",
    [
      `An undo removes the copies of: ${labelsOf(({ remove }) => remove !== undefined)}. A copy that a person has edited since stays.`,
      ...(kept === ""
        ? []
        : [`The tool removes none by itself of: ${kept}. They go with what they belong to, or stay.`]),
    ].join(" "),
    ...(notes.size === 0
      ? []
      : [
          [...notes]
            .map(
              ([note, of]) => `- ${[...new Set(of.map(({ stream }) => stream.label))].join(", ")}: ${note}`,
            )
            .join("\n"),
        ]),
  ];
};

const counterpartText = (suite: ToolSuite | undefined, vendor: VendorTool | undefined): string => {
  if (!suite) return "No conformance suite runs for it.";
  const { counterpart } = suite;
  if (counterpart.kind === "real server")
    return `The conformance suite runs on a real ${counterpart.product} ${counterpart.version}.`;
  if (counterpart.kind === "example") return `The conformance suite runs on ${counterpart.product}.`;
  if (counterpart.kind === "files") return "The conformance suite runs on files that it writes.";
  if (!vendor) return "The conformance suite runs on a stand-in.";
  const { sha256, operations } = readExcerpt(vendor.tool);
  return [
    `The conformance suite runs on a stand-in, not on ${vendor.title} itself. The stand-in holds every request, and each of its own answers, to ${vendor.describedBy}:`,
    `${Object.keys(operations).length} operations of the file with the SHA-256 \`${sha256}\`. It was not run on a live account yet.`,
  ].join(" ");
};

const proven = ({ connector, suite, vendor }: ToolFacts): readonly string[] => {
  const claims = vendor && summarizeClaims(vendor);
  return [
    "## How it was proven",
    `${counterpartText(suite, vendor)} \`npm run prove:tools\` runs it and prints what passed${
      vendor ? "; `npm run prove:vendor-mutants` breaks each known pitfall on purpose" : ""
    }.`,
    ...(vendor && claims
      ? [
          `[What is known of ${vendor.title}](../connectors/vendors.md#${vendor.tool}) lists the pitfalls. A source shows ${claims.shown} of the claims; ${claims.assumed.length} are assumed, and should be checked on a trial account of ${connector.manifest.label} first:`,
          claims.assumed.map(({ says }) => `- ${says}.`).join("\n"),
          ...(claims.undescribed.length === 0
            ? []
            : [
                "Nothing describes these operations, so that no schema holds them:",
                claims.undescribed.map((operation) => `- \`${operation}\``).join("\n"),
              ]),
        ]
      : []),
  ];
};

/** A tool's page, from what its connector, its suite and its stand-in declare. */
export const toolPage = async (facts: ToolFacts): Promise<string> => {
  const { connector } = facts;
  const { label, roles, families, name } = connector.manifest;
  return `${[
    `# ${label}`,
    `Made from \`connectors/${name}\` by \`npm run docs:generate\`: change the connector, not this page.`,
    `Portage can use it as a ${roles.join(" and as a ")}. ${families.length === 1 ? "Family" : "Families"}: ${families.join(", ")}.`,
    ...objects(connector),
    ...settings(connector.manifest),
    ...limits(connector.manifest),
    ...losses(connector),
    ...(await setUp(connector)),
    ...proven(facts),
  ].join("\n\n")}\n`;
};
