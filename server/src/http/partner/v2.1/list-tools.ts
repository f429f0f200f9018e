import { familySchema, isFamily, tool, validationErrors } from "@portage/contract";
import { z } from "zod";
import { type SourceTool, sourceToolsFor, type ToolRegistry } from "../../../features/tools/index.ts";
import { type Answer, invalid, ok } from "../../answer.ts";
import type { Query } from "../../query.ts";
import type { Operation, PartnerRoute } from "../operation.ts";

export const listToolsOperation: Operation = {
  id: "listTools",
  method: "GET",
  path: "/tools",
  summary: "List source tools",
  description: "The tools from which your customers' data can be moved, sorted by label.",
  query: [{ name: "family", description: "Only tools of this family.", schema: familySchema }],
  answers: {
    200: { description: "The tools.", schema: z.array(tool) },
    422: { description: "The family is unknown.", schema: validationErrors },
  },
};

/** The list of tools for the response, filtered by the query. */
export const answerTools = (tools: readonly SourceTool[], query: Query): Answer => {
  const family = query.get("family")?.text;
  if (family !== undefined && !isFamily(family))
    return invalid({ family: [`must be one of ${familySchema.options.join(", ")}`] });
  return ok(
    tools
      .filter(({ families }) => family === undefined || families.includes(family))
      .map(({ name, label, families }) => ({ name, slug: name, label, families })),
  );
};

export const listTools = ({ registry }: { registry: ToolRegistry }): PartnerRoute => ({
  operation: listToolsOperation,
  handle: async ({ partner, query }) => answerTools(sourceToolsFor(registry, partner), query),
});
