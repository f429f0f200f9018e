import {
  type Canary,
  type CanaryCopy,
  canariesIn,
  ConnectorError,
  type FieldChange,
  findStream,
  parentOfCanary,
} from "@portage/connector-kit";
import { momentNow } from "../../../platform/moment.ts";
import type { ChunkContext } from "../chunk/chunk-context.ts";
import { onSide } from "../chunk/sides.ts";
import type { Budget, RunTask, TaskEnd } from "../chunk/task.ts";
import { startWriteDeadline } from "../chunk/write-deadline.ts";
import { patience } from "../copy/judge-outcomes.ts";
import { canaryAddress, canaryKey, tokenFor } from "./canary-address.ts";
import { canaryStreams, type SilenceNeeds } from "./measured-by.ts";
import {
  type CaughtMessage,
  claimCanary,
  closeCheck,
  findRunChecks,
  listOpenChecks,
  type OpenCheck,
  saveMessages,
  settleCanaries,
} from "./store-silence.ts";

interface FoundCanary extends CanaryCopy {
  readonly canary: Canary;
  readonly key: string;
}

interface Measuring extends SilenceNeeds {
  /** How long this process could receive mails. */
  readonly listeningForMs: () => number;
}

type IdOf = (stream: string) => string | undefined;

const idsIn =
  (copies: readonly CanaryCopy[]): IdOf =>
  (stream) =>
    copies.find((copy) => copy.stream === stream)?.id;

/** Whether the tool's own log shows its messages; if not, only the mailbox does. */
const isLogged = ({ destination }: ChunkContext) => destination.connector.silence?.sent !== undefined;

const graceOf = ({ destination }: ChunkContext) => destination.connector.manifest.grace;

const canariesOf = (
  { destination: { connector }, lease }: ChunkContext,
  mailbox: string | null,
  token: string,
) =>
  canariesIn(connector.silence?.canaries[lease.family] ?? [], {
    token,
    address: canaryAddress(mailbox, token),
  });

/** The copies of a measurement that are in the destination, by their keys alone, in the order of writing. */
const findCopies = async (
  ctx: ChunkContext,
  canaries: readonly Canary[],
  token: string,
): Promise<readonly FoundCanary[]> => {
  const io = ctx.destination.io(ctx.signal);
  const found: FoundCanary[] = [];
  for (const canary of canaries) {
    const key = canaryKey(ctx.lease.importId, token, canary.name);
    const query = { key, since: new Date(0), ...parentOfCanary(canary, idsIn(found)) };
    const ids = (await onSide("destination", () => canary.to.find(io, [query]))).get(key) ?? [];
    found.push(...ids.map((id) => ({ canary, key, stream: canary.to.stream.name, id })));
  }
  return found;
};

const notRemoved = (label: string, { stream }: CanaryCopy, why: string) =>
  new ConnectorError({
    recovery: "abort",
    code: "canary_not_removed",
    message: `${label} keeps a test record of ours (${stream}): ${why} Remove “Silence check” there, and try again.`,
  });

/** Removes them in reverse order; what has no removal of its own goes with its parent. False: an answer was lost. */
const removeCopies = async (ctx: ChunkContext, copies: readonly FoundCanary[]): Promise<boolean> => {
  const { label } = ctx.destination.connector.manifest;
  const deadline = startWriteDeadline(ctx, momentNow(), false);
  try {
    const io = ctx.destination.io(deadline.signal, deadline.maySend);
    for (const copy of copies.toReversed()) {
      const { canary, id, key } = copy;
      if (!canary.to.remove) continue;
      if (!deadline.maySend()) return false;
      const [removed] = await onSide("destination", async () => canary.to.remove?.(io, [{ id, key }]) ?? []);
      if (removed?.kind === "kept") throw notRemoved(label, copy, removed.message);
      if (removed?.kind === "removed") continue;
      if (ctx.lease.failures < patience) return false;
      throw notRemoved(label, copy, "It gives no clear answer.");
    }
    return true;
  } finally {
    deadline.close();
  }
};

/**
 * Whether the workers' mailboxes were open for the whole measurement: what a mail server sends meanwhile, it tries again too late. The
 * mails may arrive at any worker, so a mailbox that another one opened or closed counts as much as that of this process.
 */
const hasListened = (
  { startedForMs, mailboxChanged }: OpenCheck,
  { mailbox, listeningForMs }: Measuring,
): boolean => mailbox !== null && !mailboxChanged && startedForMs <= listeningForMs();

/**
 * Looks whether the tool has sent messages, as long as its log can tell: before the canaries are removed. False: it is not known,
 * because a canary that was written is gone by now, or no worker could receive mails.
 */
const lookForMessages = async (
  ctx: ChunkContext,
  check: OpenCheck,
  copies: readonly FoundCanary[],
  needs: Measuring,
): Promise<boolean | "fenced"> => {
  const { db, lease, destination } = ctx;
  const { silence } = destination.connector;
  if (check.hasMessages) return true;
  if (!silence?.sent) return hasListened(check, needs);
  const io = destination.io(ctx.signal);
  const sent = await onSide("destination", async () => silence.sent?.(io, copies) ?? []);
  if (sent.length === 0) return copies.length >= check.records;
  const messages = sent.map(({ stream, subject }) => ({ stream, subject: subject.slice(0, 200) }));
  return (await saveMessages(db, lease, check.token, messages)) || "fenced";
};

/** Ends a measurement: reads the tool's log and removes the canaries. Null: it is closed. */
const finishCheck = async (
  ctx: ChunkContext,
  check: OpenCheck,
  needs: Measuring,
): Promise<TaskEnd | null> => {
  const { db, lease } = ctx;
  const { token, runId, writtenForMs, deadlineInMs, notMeasured } = check;
  const { lateWriteMs, findLagMs } = graceOf(ctx);
  const isWanted = runId === lease.runId && lease.wanted === "run" && writtenForMs !== null;
  const isMeasuring = isWanted && notMeasured === null;
  // Without an outcome of every write, some may still take effect: only then "not found" means "not there".
  const restMs =
    writtenForMs === null
      ? deadlineInMs + lateWriteMs + findLagMs
      : Math.max(findLagMs, isMeasuring ? needs.waitMs : 0) - writtenForMs;
  if (restMs > 0) return { kind: "later", delayMs: restMs };
  const copies = await findCopies(ctx, canariesOf(ctx, needs.mailbox, token), token);
  const isKnown = isMeasuring ? await lookForMessages(ctx, check, copies, needs) : isWanted;
  if (isKnown === "fenced") return { kind: "fenced" };
  if (!(await removeCopies(ctx, copies))) return { kind: "later", delayMs: lateWriteMs + findLagMs };
  return (await closeCheck(db, lease, token, { isDone: isKnown })) ? null : { kind: "fenced" };
};

/** A tool that gives no clear answer this often, or whose canaries vanish, can't be measured: the run goes on. */
const maxAttempts = 5;

/** Without the address, no message about the canaries can arrive. */
const hasLostAddress = (changes: readonly FieldChange[] = []) =>
  changes.some(({ field }) => /^emails?\b/.test(field));

/** Writes the canaries, each claimed before the call; the next chunk looks for messages. */
const writeCanaries = async (
  ctx: ChunkContext,
  no: number,
  { mailbox, waitMs }: Measuring,
  budget: Budget,
): Promise<TaskEnd> => {
  const { db, lease, times, destination } = ctx;
  const { lateWriteMs, findLagMs } = graceOf(ctx);
  const token = tokenFor(lease.runId, no);
  const canaries = canariesOf(ctx, mailbox, token);
  const graceMs = lateWriteMs + findLagMs;
  // The database may have lost attempts from this number on.
  for (let lost = no; lease.looksFrom !== null && lost <= maxAttempts; lost += 1) {
    const name = tokenFor(lease.runId, lost);
    const left = await findCopies(ctx, canariesOf(ctx, mailbox, name), name);
    if (!(await removeCopies(ctx, left))) return { kind: "later", delayMs: graceMs };
  }
  const copies: CanaryCopy[] = [];
  let records = 0;
  let notMeasured: string | null = null;
  for (const canary of canaries) {
    const { to } = canary;
    const startedAt = momentNow();
    if (!(await claimCanary(db, lease, { token, no }, times))) return { kind: "fenced" };
    const deadline = startWriteDeadline(ctx, startedAt, false);
    try {
      const write = {
        key: canaryKey(lease.importId, token, canary.name),
        record: canary.make(idsIn(copies)),
        id: null,
      };
      const io = destination.io(deadline.signal, deadline.maySend);
      const [outcome] = await onSide("destination", () => to.write(io, [write]));
      if (outcome?.kind === "written" || outcome?.kind === "matched")
        copies.push({ stream: to.stream.name, id: outcome.id });
      if (outcome?.kind === "written") records += 1;
      if (outcome?.kind === "rejected") notMeasured = outcome.message;
      else if (outcome?.kind === "written" && !isLogged(ctx) && hasLostAddress(outcome.changes))
        notMeasured = "The tool does not take the address of the test records.";
      // The next chunk removes what is there, and starts anew.
      else if (outcome?.kind !== "written" && outcome?.kind !== "matched")
        return { kind: "later", delayMs: times.writeMs + graceMs };
    } finally {
      deadline.close();
    }
    if (notMeasured !== null) break;
  }
  if (!(await settleCanaries(db, lease, token, { records, notMeasured: notMeasured?.slice(0, 500) ?? null })))
    return { kind: "fenced" };
  budget.done.written += 1;
  return { kind: "later", delayMs: Math.max(findLagMs, notMeasured === null ? waitMs : 0) };
};

/** The failure of a run whose canaries were noticed; its text is kept up to 500 characters. */
const caught = (ctx: ChunkContext, { stream, subject }: CaughtMessage) => {
  const { manifest, silence } = ctx.destination.connector;
  const what =
    stream === null ? "records" : (findStream(ctx.lease.family, stream)?.label ?? stream).toLowerCase();
  return new ConnectorError({
    recovery: "abort",
    code: "message_sent",
    message: `${manifest.label} sends messages when ${what} are copied: “${subject.slice(0, 100)}”. ${silence?.mend ?? ""} This move has copied nothing yet: we tried it with test records, and removed them.`,
  });
};

/**
 * Measures that copies send no messages, before a full run copies anything: writes a few canaries, waits, counts messages and
 * removes them. Also removes what earlier attempts and runs left, whatever becomes of this one.
 */
export const createSilenceTask = (given: SilenceNeeds): RunTask => {
  // The mailbox opens with the process. Not by the wall clock: a suspended machine receives nothing.
  const createdAt = performance.now();
  return async (ctx, _, budget): Promise<TaskEnd> => {
    const { db, lease, destination } = ctx;
    const needs = { ...given, listeningForMs: () => performance.now() - createdAt };
    for (const check of await listOpenChecks(db, lease.importId)) {
      const end = await finishCheck(ctx, check, needs);
      if (end) return end;
      budget.done.read += 1;
    }
    if (lease.wanted !== "run") return { kind: "halted", wanted: lease.wanted };
    if (lease.kind !== "full") return { kind: "ended" };
    const { attempts, isDone, messages } = await findRunChecks(db, lease.runId);
    const [first] = messages;
    if (first) throw caught(ctx, first);
    // A worker may have no mailbox although the one that planned the run had one.
    const canMeasure = canaryStreams(destination.connector, lease.family, needs).length > 0;
    if (isDone || !canMeasure || attempts >= maxAttempts) return { kind: "ended" };
    return writeCanaries(ctx, attempts + 1, needs, budget);
  };
};
