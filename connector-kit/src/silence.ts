import type { Family } from "@portage/contract";
import type { DestinationStream } from "./destination.ts";
import { helpdesk } from "./families/helpdesk.ts";
import { projects } from "./families/projects.ts";
import type { FamilyRecord } from "./families/stream.ts";
import type { Io } from "./io.ts";

/** A copy of a canary in the tool. */
export interface CanaryCopy {
  readonly stream: string;
  readonly id: string;
}

/** A message that the tool sent because of a copy. */
export interface SentMessage extends CanaryCopy {
  readonly subject: string;
}

/**
 * How the engine measures the guarantee `silent` before a full run: it writes a few records of its own (canaries), waits for
 * messages about them, and removes them again. A mailbox of the operator receives what is sent to the person whom they name.
 */
export interface Silence<S = unknown> {
  /**
   * The streams that the canaries are written to, in this order, by family: a person first, and whatever a ticket or task
   * needs. The person must get the messages that people of the tool get by default: an import's own accounts may be muted.
   */
  readonly canaries: { readonly [F in Family]?: readonly DestinationStream<FamilyRecord, S>[] };
  /** For people: which setting of the tool sends such messages, and how to switch it off. Whole sentences. */
  readonly mend: string;
  /** The messages about these copies, to anyone, by the tool's own log. Left out: the tool has no such log. */
  sent?(io: Io<S>, copies: readonly CanaryCopy[]): Promise<readonly SentMessage[]>;
}

/** A record that is written to be removed again. */
export interface Canary {
  readonly to: DestinationStream;
  /** Unique among the canaries of one measurement. */
  readonly name: string;
  /** Stands in the record's text, so that a message shows which record it is about. */
  readonly mark: string;
  /** `idOf`: of the copy of an earlier canary, by stream; the first one of that stream. */
  make(idOf: (stream: string) => string | undefined): FamilyRecord;
}

export interface CanaryNames {
  /** Lower-case letters and digits; another one for each measurement. */
  readonly token: string;
  /** The address of the person whom the canaries name. */
  readonly address: string;
}

interface Drawn extends CanaryNames {
  readonly id: string;
  readonly mark: string;
  readonly idOf: (stream: string) => string | undefined;
}

const personName = "Portage Silence";
const titleOf = ({ mark }: Drawn) => `Silence check ${mark}`;
const textOf = ({ mark }: Drawn) => ({
  format: "plain" as const,
  text: `Written to see that no message is sent, and removed again. ${mark}`,
});

const whoIn = ({ idOf, address }: Drawn) => {
  const stream = idOf("contacts") === undefined ? "users" : "contacts";
  const id = idOf(stream);
  return id === undefined ? null : { stream, id, name: personName, email: address };
};
const agentIn = (drawn: Drawn) => {
  const who = whoIn(drawn);
  return who?.stream === "users" ? who : null;
};
const peopleIn = (drawn: Drawn) => [whoIn(drawn)].filter((who) => who !== null);
const agentIds = (drawn: Drawn) => [agentIn(drawn)].flatMap((who) => who?.id ?? []);

type Make = (drawn: Drawn) => FamilyRecord;

const ticket =
  (status: "new" | "solved"): Make =>
  (drawn) =>
    helpdesk.tickets.make({
      id: drawn.id,
      subject: titleOf(drawn),
      description: textOf(drawn),
      status,
      statusKind: status,
      author: whoIn(drawn),
      requester: whoIn(drawn),
      assignee: agentIn(drawn),
      followers: peopleIn(drawn).map(({ stream, id }) => ({ stream, id })),
      groupId: drawn.idOf("groups") ?? null,
    });

const task =
  (status: string, statusKind: "todo" | "done"): Make =>
  (drawn) =>
    projects.tasks.make({
      id: drawn.id,
      projectId: drawn.idOf("projects") ?? "",
      title: titleOf(drawn),
      description: textOf(drawn),
      status,
      statusKind,
      author: agentIn(drawn),
      assignee: agentIn(drawn),
      watcherIds: agentIds(drawn),
    });

/** A new and a finished record, a public and an internal text: tools have separate notifications for them. */
const makes: Readonly<Record<string, readonly Make[]>> = {
  "helpdesk/users": [({ id, address }) => helpdesk.users.make({ id, name: personName, email: address })],
  "helpdesk/contacts": [
    ({ id, address }) => helpdesk.contacts.make({ id, name: personName, emails: [address] }),
  ],
  "helpdesk/groups": [
    (drawn) => helpdesk.groups.make({ id: drawn.id, name: titleOf(drawn), memberIds: agentIds(drawn) }),
  ],
  "helpdesk/tickets": [ticket("new"), ticket("solved")],
  "helpdesk/comments": (["public", "internal"] as const).map(
    (visibility): Make =>
      (drawn) =>
        helpdesk.comments.make({
          id: drawn.id,
          ticketId: drawn.idOf("tickets") ?? "",
          visibility,
          body: textOf(drawn),
          author: whoIn(drawn),
        }),
  ),
  "projects/users": [({ id, address }) => projects.users.make({ id, name: personName, email: address })],
  "projects/projects": [
    (drawn) =>
      projects.projects.make({
        id: drawn.id,
        name: titleOf(drawn),
        key: drawn.mark,
        memberIds: agentIds(drawn),
      }),
  ],
  "projects/tasks": [task("New", "todo"), task("Closed", "done")],
  "projects/comments": (["public", "internal"] as const).map(
    (visibility): Make =>
      (drawn) =>
        projects.comments.make({
          id: drawn.id,
          taskId: drawn.idOf("tasks") ?? "",
          visibility,
          body: textOf(drawn),
          author: agentIn(drawn),
        }),
  ),
};

/** The canaries of the streams, in the order of writing. Throws for a stream that the kit has none for: a bug of the connector. */
export const canariesIn = (streams: readonly DestinationStream[], names: CanaryNames): readonly Canary[] =>
  streams.flatMap((to) => {
    const { family, name: stream } = to.stream;
    const made = makes[`${family}/${stream}`];
    if (!made) throw new Error(`There are no canaries for ${family}/${stream}.`);
    return made.map((make, index): Canary => {
      const name = `${stream.toLowerCase()}-${index + 1}`;
      const mark = `canary-${names.token}-${name}`;
      return { to, name, mark, make: (idOf) => make({ ...names, id: name, mark, idOf }) };
    });
  });

/** The id of a canary's parent, by which some tools find its copy. */
export const parentOfCanary = (
  { to: { stream } }: Canary,
  idOf: (stream: string) => string | undefined,
): { readonly parentId?: string; readonly parentStream?: string } => {
  const [parentStream] = stream.parent === null ? [] : (stream.relations[stream.parent]?.to ?? []);
  const parentId = parentStream === undefined ? undefined : idOf(parentStream);
  return parentStream === undefined || parentId === undefined ? {} : { parentId, parentStream };
};
