import type { Dump } from "../../journeys/moves/dump.ts";
import type { Counts, DestinationSide, JourneySide, SourceSide } from "../../journeys/moves/side.ts";
import type { Row, Table } from "./table.ts";

/** What a journey needs of a stand-in. */
export interface SideNeeds<T extends { readonly subject: string | null }> {
  readonly tool: string;
  readonly url: string;
  /** As a customer enters them for the connector. */
  readonly settings: Readonly<Record<string, string>>;
  readonly tickets: Table<T>;
  counts(): Counts;
  dump(): Dump;
  /** A later comment, as a person writes one. */
  comment(ticket: Row<T>): void;
  /** A later ticket. Returns its id. */
  add(subject: string): number;
}

const sideOf = ({ tool, url, settings, counts }: SideNeeds<never>): JourneySide => ({
  tool,
  host: new URL(url).host,
  settings,
  counts: async () => counts(),
});

const ticketBySubject = <T extends { readonly subject: string | null }>(
  tickets: Table<T>,
  subject: string,
): Row<T> => {
  // The newest one: a copy may have the subject of a ticket that was there before.
  const found = tickets.live().findLast(({ data }) => data.subject === subject);
  if (!found) throw new Error(`No ticket “${subject}”.`);
  return found;
};

/** The stand-in as the tool that a customer leaves. */
export const vendorSource = <T extends { readonly subject: string | null }>(
  needs: SideNeeds<T>,
  { changes, removes }: { readonly changes: string; readonly removes: string },
): SourceSide => ({
  ...sideOf(needs as unknown as SideNeeds<never>),
  disputed: changes,
  async meanwhile() {
    const changed = ticketBySubject(needs.tickets, changes);
    const removed = ticketBySubject(needs.tickets, removes);
    needs.comment(changed);
    needs.tickets.remove(removed.id);
    return {
      disputed: changes,
      changed: [String(changed.id)],
      added: [String(needs.add("Came later"))],
      removed: [String(removed.id)],
    };
  },
});

/** The stand-in as the tool that a customer moves to. */
export const vendorDestination = <T extends { readonly subject: string | null }>(
  needs: SideNeeds<T>,
): DestinationSide => ({
  ...sideOf(needs as unknown as SideNeeds<never>),
  dump: async () => needs.dump(),
  async edit(subject) {
    const { id, updatedAt } = ticketBySubject(needs.tickets, subject);
    const edited = "A person's own words";
    needs.tickets.update(id, { subject: edited } as Partial<T>);
    return {
      stays: async () => needs.tickets.get(id)?.data.subject === edited,
      putBack: async () => void needs.tickets.update(id, { subject } as Partial<T>, updatedAt),
    };
  },
});
