import { setTimeout as wait } from "node:timers/promises";
import type { DestinationStream } from "../destination.ts";
import type { Io } from "../io.ts";
import { isRemovable } from "../removal.ts";
import { type Canary, type CanaryCopy, canariesIn, parentOfCanary, type Silence } from "../silence.ts";
import { createTestIo } from "../test-io.ts";
import { assert } from "./assert.ts";
import type { Noted } from "./check.ts";
import type { Session } from "./session.ts";
import { writeSettled } from "./settled-write.ts";

interface Written extends CanaryCopy {
  readonly canary: Canary;
  readonly key: string;
}

const keyOf = (token: string, { name }: Canary) => `c-${token}-${name}`;

const idsIn =
  (copies: readonly CanaryCopy[]) =>
  (stream: string): string | undefined =>
    copies.find((copy) => copy.stream === stream)?.id;

const writeAll = async (session: Session, io: () => Io, token: string, canaries: readonly Canary[]) => {
  const { lateWriteMs, findLagMs } = session.subject.connector.manifest.grace;
  const copies: Written[] = [];
  for (const canary of canaries) {
    const { to, name } = canary;
    const key = keyOf(token, canary);
    const write = { key, id: null, record: canary.make(idsIn(copies)) };
    const [outcome] = await writeSettled({ io, graceMs: lateWriteMs + findLagMs }, to, [write]);
    assert(outcome && "id" in outcome, `${name}: ${JSON.stringify(outcome)}`);
    copies.push({ canary, key, stream: to.stream.name, id: outcome.id });
  }
  return copies;
};

/** Finds and removes as the engine does: by key alone, in reverse order. */
const removeAll = async (session: Session, io: () => Io, copies: readonly Written[]) => {
  await wait(session.subject.connector.manifest.grace.findLagMs);
  for (const { canary, key, id, stream } of copies.toReversed()) {
    const { to, name } = canary;
    if (!to.remove) continue;
    const query = { key, since: new Date(0), ...parentOfCanary(canary, idsIn(copies)) };
    const found = (await to.find(io(), [query])).get(key) ?? [];
    assert(found.includes(id), `${name}: find does not show it.`);
    const [removed] = await to.remove(io(), [{ id, key }]);
    assert(removed?.kind === "removed", `${name}: ${JSON.stringify(removed)}`);
    const [left] = await to.read(io(), [id]);
    assert(left === null, `${name}: ${stream}/${id} is there after its removal.`);
  }
};

/** Writes canaries to a quiet tool and, if the subject can make it, to a loud one, and removes them. */
export const checkCanaries = async (
  session: Session,
  silence: Silence,
  streams: readonly DestinationStream[],
): Promise<Noted | undefined> => {
  const { subject } = session;
  assert(/\w{3}.*\.$/s.test(silence.mend), "silence.mend is no sentence.");
  for (const to of streams)
    assert(isRemovable(to, streams), `${to.stream.name}: canaries can't be removed again.`);
  const measure = async (token: string, io: () => Io) => {
    const canaries = canariesIn(streams, { token, address: `${token}@canary.invalid` });
    const before = (await subject.mails?.()) ?? 0;
    const copies = await writeAll(session, io, token, canaries);
    const mails = ((await subject.mails?.()) ?? 0) - before;
    const sent = (await silence.sent?.(io(), copies)) ?? [];
    await removeAll(session, io, copies);
    return { mails, sent };
  };
  const token = Date.now().toString(36);
  const quiet = await measure(`${token}q`, () => session.io());
  assert(quiet.mails === 0, `The canaries caused ${quiet.mails} mails.`);
  assert(
    quiet.sent.length === 0,
    `The log shows messages that the tool never sent: ${JSON.stringify(quiet.sent)}`,
  );
  if (!subject.loud) return { note: "the subject can't make the tool send messages: only silence was seen" };
  await subject.loud(async (settings) => {
    const { connector, transport, tokens, retry } = subject;
    const io = () =>
      createTestIo({
        manifest: connector.manifest,
        settings,
        transport,
        ...(tokens ? { tokens } : {}),
        ...(retry ? { retry } : {}),
      });
    const loud = await measure(`${token}l`, io);
    if (subject.mails) assert(loud.mails > 0, "The canaries cause no mail although the tool sends them.");
    if (silence.sent) assert(loud.sent.length > 0, "The tool sent messages that `sent` does not show.");
    assert(
      loud.sent.every(({ subject: title }) => title.trim() !== ""),
      "A message in the log has no subject.",
    );
  });
  return undefined;
};
