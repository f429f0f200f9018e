import { z } from "zod";
import type { StandInConnectorOptions } from "../stand-in/connector-options.ts";

const count = z.coerce.number().int().min(0).optional();

/** Environment variables by which a test configures the connector in other processes. */
const environment = z.object({
  STAND_IN_PAGING: z.enum(["keyset", "offset", "page", "cursor", "link"]).default("keyset"),
  STAND_IN_PAGE_SIZE: count,
  STAND_IN_BATCH_SIZE: count,
  STAND_IN_CONCURRENCY: count,
  STAND_IN_LATE_WRITE_MS: count,
  STAND_IN_FIND_LAG_MS: count,
  STAND_IN_SILENCE: z.enum(["log", "mailbox"]).optional(),
  STAND_IN_CREATES_FIELDS: z.stringbool().optional(),
});

export const readStandInOptions = (env: NodeJS.ProcessEnv): StandInConnectorOptions => {
  const read = environment.parse(env);
  const given = {
    pageSize: read.STAND_IN_PAGE_SIZE,
    batchSize: read.STAND_IN_BATCH_SIZE,
    concurrency: read.STAND_IN_CONCURRENCY,
    lateWriteMs: read.STAND_IN_LATE_WRITE_MS,
    findLagMs: read.STAND_IN_FIND_LAG_MS,
    silence: read.STAND_IN_SILENCE,
    createsFields: read.STAND_IN_CREATES_FIELDS,
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { family: "helpdesk", otherFamilies: ["projects"], paging: read.STAND_IN_PAGING, ...set };
};
