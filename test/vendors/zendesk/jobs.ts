import { randomUUID } from "node:crypto";
import type { VendorClock } from "../kit/clock.ts";

/** Jobs that delete for good tell only whether all went well. */
type JobResults = readonly JobResult[] | { readonly success: boolean };

interface JobResult {
  readonly index?: number;
  readonly id?: number;
  readonly error?: string;
  readonly details?: string;
  readonly action?: string;
  readonly status?: string;
  readonly success?: boolean;
}

interface Job {
  readonly id: string;
  readonly type: string;
  readonly total: number;
  readonly startAt: number;
  readonly doneAt: number;
  /** What the records to write are known by. */
  readonly keys: readonly string[];
  readonly run: () => JobResults;
  results: JobResults | null;
}

/** Bulk calls answer at once and write later: first queued, then working, then completed. */
export const createJobs = (clock: VendorClock, url: () => string, first: { readonly jobMs: number }) => {
  const jobs = new Map<string, Job>();
  let jobMs = first.jobMs;
  /** Does what is due. Everything that looks at the tables calls it first. */
  const settle = () => {
    for (const job of jobs.values())
      if (job.results === null && job.doneAt <= clock.now()) job.results = job.run();
  };
  const wire = (job: Job) => {
    const status = job.results ? "completed" : job.startAt <= clock.now() ? "working" : "queued";
    return {
      id: job.id,
      job_type: job.type,
      url: `${url()}/api/v2/job_statuses/${job.id}.json`,
      total: job.total,
      progress: job.results ? job.total : status === "working" ? Math.floor(job.total / 2) : null,
      status,
      message: job.results ? "Completed" : null,
      results: job.results,
    };
  };
  const open = () => [...jobs.values()].filter(({ results }) => results === null);
  return {
    settle,
    open,
    /** How long jobs take that start from now on, half of it in the queue. */
    take: (ms: number) => void (jobMs = ms),
    start: (type: string, keys: readonly string[], total: number, run: Job["run"]) => {
      const now = clock.now();
      const id = randomUUID().replaceAll("-", "");
      const job: Job = {
        id,
        type,
        total,
        keys,
        run,
        startAt: now + jobMs / 2,
        doneAt: now + jobMs,
        results: null,
      };
      jobs.set(id, job);
      return { status: 200, body: { job_status: wire(job) } };
    },
    get: (id: string) => {
      const job = jobs.get(id);
      return job && wire(job);
    },
    all: () => [...jobs.values()].map(wire),
  };
};

export type Jobs = ReturnType<typeof createJobs>;
