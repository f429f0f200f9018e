import {
  awaitJob,
  ConnectorError,
  type HttpRequest,
  isRefusal,
  outcomeUnknown,
  recover,
} from "@portage/connector-kit";
import { z } from "zod";
import { api, askAll, rowsIn, tell } from "./ask.ts";
import type { ZendeskIo } from "./settings.ts";

const jobRow = z.object({ id: z.string(), status: z.string(), results: z.unknown() });
type Job = z.infer<typeof jobRow>;

const isRunning = ({ status }: Job) => status === "queued" || status === "working";

/** Shorter than the time that the engine gives a write. */
const patience = { everyMs: 500, atMostMs: 20_000 };

const result = z.object({
  index: z.number().optional(),
  id: z.number().optional(),
  error: z.string().optional(),
  details: z.string().optional(),
});
export type JobResult = z.infer<typeof result>;

/**
 * Starts a job and waits for its results, by position. Once Zendesk has taken the job, its records may exist: a refusal of a
 * later question is no refusal of them.
 */
export const runJob = async (
  io: ZendeskIo,
  request: HttpRequest,
): Promise<ReadonlyMap<number, JobResult>> => {
  const wire = z.object({ job_status: jobRow });
  const { id } = (await tell(io, { ...request, class: "job" })).json(wire).job_status;
  const poll = async () => {
    const { job_status: job } = (await io.http.send({ url: api(`job_statuses/${id}`) })).json(wire);
    return isRunning(job) ? ({ kind: "running" } as const) : ({ kind: "ended", answer: job } as const);
  };
  const job = await recover(awaitJob(io, poll, patience), isRefusal, () => {
    throw new ConnectorError({
      recovery: "retry",
      code: outcomeUnknown,
      message: "Zendesk does not show the job that it took.",
    });
  });
  const { data = [] } = z.array(result).safeParse(job.results);
  return new Map(data.map((each, position) => [each.index ?? position, each]));
};

/**
 * Waits until every job has ended that Zendesk had when this was called: one whose answer was lost may still create the records
 * that a look-up would not find yet. Later ones can't be ours, since the engine waits for its own requests first. Fails if they
 * take long: then it is unknown what exists.
 */
export const awaitJobsBefore = async (io: ZendeskIo): Promise<void> => {
  const list = { path: "job_statuses", name: "job_statuses", row: jobRow };
  const ids = (await askAll(io, list)).filter(isRunning).map(({ id }) => id);
  if (ids.length === 0) return;
  await awaitJob(
    io,
    async () => {
      const answer = await io.http.send({
        url: api("job_statuses/show_many"),
        query: { ids: ids.join(",") },
      });
      const isOpen = rowsIn(answer, "job_statuses", jobRow).some(isRunning);
      return isOpen ? { kind: "running" } : { kind: "ended", answer: null };
    },
    patience,
  );
};
