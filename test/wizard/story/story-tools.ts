import { type RunningDesk, startDesk } from "../../../examples/partner-app/test/running-desk.ts";
import { freePort } from "../../support/free-port.ts";
import { type StandInProcess, startStandInProcess } from "../../support/stand-in-process.ts";
import { redmineApi } from "../../tools/redmine/redmine-api.ts";
import type { RedmineServer } from "../../tools/redmine/redmine-server.ts";
import { startSeededRedmine } from "../../tools/redmine/seeded-redmine.ts";
import type { RequestTracker } from "../../tools/request-tracker/request-tracker.ts";
import { startSeededRequestTracker } from "../../tools/request-tracker/seeded-request-tracker.ts";
import { startSmtpSink } from "../../tools/smtp-sink.ts";

/** The real tools of a story, each with existing data. */
export interface StoryTools {
  readonly redmine: RedmineServer;
  readonly desk: RunningDesk;
  /** Started for a story that moves from it. */
  readonly tracker: RequestTracker | null;
  /** An empty tool that takes what it gets; started for a story that moves into it. */
  readonly standIn: StandInProcess | null;
}

const withSeeds = async (smtpPort: number, afterwards: (undo: () => unknown) => void) => {
  const redmine = await startSeededRedmine({ smtpPort });
  afterwards(() => redmine.stop());
  // For records without a queue.
  await redmineApi(redmine).post("projects.json", {
    project: { name: "Knowledge", identifier: "knowledge", enabled_module_names: ["issue_tracking", "wiki"] },
  });
  return redmine;
};

const trackerWithSeeds = async (smtpPort: number, afterwards: (undo: () => unknown) => void) => {
  const { tracker } = await startSeededRequestTracker({ smtpPort });
  afterwards(() => tracker.stop());
  return tracker;
};

/** The desk has data already; one of its agents is also in the seeded Redmine. */
const deskInUse = async (): Promise<RunningDesk> => {
  const port = await freePort();
  const desk = await startDesk({ publicUrl: `http://127.0.0.1:${port}` }, port);
  desk.store.database.exec(`
    insert into users (name, email) values ('Ana Müller', 'ana@example.com'), ('Desk Own', 'own@desk.example');
    insert into tickets (subject, status, status_kind) values ('A ticket of the desk itself', 'Open', 'open');
    insert into comments (ticket_id, visibility, body)
      values (1, 'public', '{"format":"plain","text":"Said here.","references":[]}')`);
  return desk;
};

export const startStoryTools = async (
  afterwards: (undo: () => unknown) => void,
  { withTracker, withStandIn }: { readonly withTracker: boolean; readonly withStandIn: boolean },
): Promise<StoryTools> => {
  const sink = await startSmtpSink();
  afterwards(() => sink.close());
  const desk = await deskInUse();
  afterwards(() => desk.close());
  const standIn = withStandIn
    ? await startStandInProcess({ counts: {}, lean: true, hostile: false, largeText: 0 })
    : null;
  if (standIn) afterwards(() => standIn.stop());
  const [redmine, tracker] = await Promise.all([
    withSeeds(sink.port, afterwards),
    withTracker ? trackerWithSeeds(sink.port, afterwards) : null,
  ]);
  return { redmine, tracker, desk, standIn };
};
