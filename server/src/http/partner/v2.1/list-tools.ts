import { familySchema, isFamily, tool, validationErrors } from "@portage/contract";
import { z } from "zod";
import { type SourceTool, sourceToolsFor, type ToolRegistry } from "../../../features/tools/index.ts";
import { type Answer, invalid, ok } from "../../answer.ts";
import type { Query } from "../../query.ts";
import type { Operation, PartnerRoute } from "../operation.ts";
import { sandboxTools } from "../sandbox/fixtures.ts";

const toWire = ({ name, label, families }: SourceTool) => ({ name, slug: name, label, families });

const unknownFamily = { family: [`must be one of ${familySchema.options.join(", ")}`] };

export const listToolsOperation: Operation = {
  id: "listTools",
  method: "GET",
  path: "/tools",
  tag: "Tools",
  summary: "List source tools",
  description: "The tools from which your customers' data can be moved, sorted by label.",
  query: [{ name: "family", description: "Only tools of this family.", schema: familySchema }],
  answers: {
    200: {
      description: "The tools.",
      schema: z.array(tool),
      examples: () => ({ tools: sandboxTools.map(toWire) }),
    },
    422: {
      description: "The family is unknown.",
      schema: validationErrors,
      examples: () => ({ unknown_family: unknownFamily }),
    },
  },
  sample: {
    query: { family: "helpdesk" },
    sdk: 'console.log(await portage.tools.list({ family: "helpdesk" }));',
  },
};

/** The list of tools for the response, filtered by the query. */
export const answerTools = (tools: readonly SourceTool[], query: Query): Answer => {
  const family = query.get("family")?.text;
  if (family !== undefined && !isFamily(family)) return invalid(unknownFamily);
  return ok(tools.filter(({ families }) => family === undefined || families.includes(family)).map(toWire));
};

export const listTools = ({ registry }: { registry: ToolRegistry }): PartnerRoute => ({
  operation: listToolsOperation,
  handle: async ({ partner, query }) => answerTools(sourceToolsFor(registry, partner), query),
});
