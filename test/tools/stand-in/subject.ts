import { familyStreams } from "@portage/connector-kit";
import type { Subject } from "@portage/connector-kit/conformance";
import type { Transport } from "@portage/connector-kit/http";
import { standInConnector, type StandInConnectorOptions, type StandInSettings } from "./connector.ts";
import { standInDefaults, type StandInOptions } from "./options.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const pageSize = 8;

/** A running stand-in with a few pages of everything, ready for the conformance suite. */
export const standInSubject = async (
  transport: Transport,
  given: Partial<StandInOptions> = {},
  connecting: Partial<StandInConnectorOptions> = {},
): Promise<{ readonly tool: StandIn; readonly subject: Subject<StandInSettings> }> => {
  const family = given.family ?? standInDefaults.family;
  const counts = Object.fromEntries(familyStreams[family].map(({ name }) => [name, 37]));
  const tool = await startStandIn({ counts, pageSize, largeText: 100_000, ...given, family });
  const paging = given.paging ?? standInDefaults.paging;
  return {
    tool,
    subject: {
      connector: standInConnector({
        family,
        paging,
        pageSize,
        createsFields: true,
        ...(family === "helpdesk" || family === "projects" ? { silence: "log" as const } : {}),
        ...connecting,
      }),
      settings: { instanceUrl: tool.url, token: tool.token },
      family,
      transport,
      retry: { firstDelayMs: 5, attempts: 8 },
      mails: async () => tool.stats().mails,
      loud: async (work) => {
        tool.notify(true);
        await work({ instanceUrl: tool.url, token: tool.token });
        tool.notify(false);
      },
      addTo: async (stream, id) => {
        tool.written(stream).addRemark(id);
        return async () => tool.written(stream).remarks(id) === 1;
      },
      copies: async (stream, key) => tool.written(stream).countWithKey(key),
      disturb: async (stream, { update, remove }) => {
        for (const id of update) tool.source.get(stream)?.update(id, { tags: ["changed meanwhile"] });
        for (const id of remove) tool.source.get(stream)?.remove(id);
      },
    },
  };
};
