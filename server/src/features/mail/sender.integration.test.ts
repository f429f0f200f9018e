import { describe, expect, test } from "vitest";
import { useMailFixture } from "../../../../test/support/mail-fixture.ts";
import { newId } from "../../platform/ids.ts";
import {
  cancelSchedule,
  type ImportEvent,
  moveImport,
  requireSignIn,
  runScheduledStarts,
  scheduleStart,
} from "../imports/index.ts";
import { listLinks } from "../links/index.ts";
import { removeAddress } from "./store.ts";

const fixture = useMailFixture();
const { email, givenMail, givenSampling, kept, move, senderTo } = fixture;

/** As the check at the end of a run counts. */
const tallies = { "count|row|source|written|": 1_230, "count|row|source|failed|too_large": 4 };

describe("a mail", () => {
  test("arrives once, in both parts, with its headers and the partner as sender", async () => {
    const id = await givenMail({ name: "Acme Desk", branding: { helpEmail: "help@acme.example" } });
    const sender = senderTo(fixture.server.port);
    expect(await sender.sendDue()).toBe(1);
    expect(await sender.sendDue()).toBe(0);
    expect(fixture.server.received).toHaveLength(1);
    const [got] = fixture.server.received;
    const [sent] = await kept(id);
    expect(sent?.state).toBe("sent");
    expect(got?.to).toEqual([email]);
    expect(got?.mail).toMatchObject({
      from: { name: "Acme Desk", address: "moves@portage.example" },
      to: [{ address: email }],
      replyTo: [{ address: "help@acme.example" }],
      subject: "Your sample is ready to review",
      messageId: `<${sent?.id}@portage.example>`,
      text: expect.stringContaining("Review the sample"),
      html: expect.stringContaining("Review the sample"),
    });
    expect(got?.raw).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(got?.header("Auto-Submitted")).toBe("auto-generated");
    expect(got?.header("List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
    expect(got?.header("List-Unsubscribe")).toMatch(
      new RegExp(`^<https://portage\\.example/mail/stop/${id}/[0-9a-f]{32}>$`),
    );
    expect(got?.mail.attachments).toEqual([]);
  });

  test("with hostile names adds no header and nothing to the HTML", async () => {
    const name = 'Evil" <ceo@bank.example>\r\nBcc: eve@example.com\r\n\r\n<script>x</script>';
    // Like a row from before names were validated.
    const id = await givenMail();
    await fixture.db.pool.query(
      "update partners set name = $1 where id = (select partner_id from imports where id = $2)",
      [name, id],
    );
    await senderTo(fixture.server.port).sendDue();
    const [got] = fixture.server.received;
    expect(got?.to).toEqual([email]);
    expect(got?.header("Bcc")).toBeUndefined();
    expect(got?.mail.from?.address).toBe("moves@portage.example");
    expect(got?.mail.from?.name).not.toMatch(/[<>@"\r\n]/);
    expect(got?.mail.subject).not.toMatch(/[\r\n]/);
    expect(got?.mail.html).not.toMatch(/<script|<b>/);
  });

  test("names the partner's own application by the partner's name", async () => {
    await givenMail({
      name: "Acme Desk",
      destinationTool: "destination-protocol",
      defaultFamily: "helpdesk",
    });
    await senderTo(fixture.server.port).sendDue();
    const [got] = fixture.server.received;
    expect(got?.mail.text).toContain("Your sample is in Acme Desk");
    expect(got?.raw).not.toMatch(/protocol/i);
  });

  test("has the same figures as the migration's report", async () => {
    const id = await givenMail();
    await fixture.db.pool.query(
      "update imports set status = 'in_preparation', sponsorship = 'accepted' where id = $1",
      [id],
    );
    await move(id, { type: "full_started" });
    const runId = newId("run");
    await fixture.db.pool.query(
      `insert into runs (id, import_id, number, kind, outbox_id, ledger_leaf) values ($1, $2, 1, 'full', 1, '')`,
      [runId, id],
    );
    await fixture.db.pool.query(
      `insert into partitions (run_id, no, import_id, step, task, stream, slice, state, read, tallies)
       values ($1, 0, $2, 0, 'sweep', 'tickets', null, 'done', 1234, '{}'),
              ($1, 1, $2, 1, 'verify', 'tickets', '{"sweptBy": 1}', 'done', 0, $3)`,
      [runId, id, JSON.stringify(tallies)],
    );
    await fixture.db.pool.query("update runs set state = 'done', ended_at = now() where id = $1", [runId]);
    await move(id, { type: "run_done" });
    const sender = senderTo(fixture.server.port);
    await sender.sendDue();
    const done = fixture.server.received.find(({ mail }) =>
      mail.subject?.includes("some records were not copied"),
    );
    expect(done?.mail.text).toMatch(/Copied: 1,230\nAlready there: 0\nSkipped: 0\nFailed: 4/);
    expect(done?.mail.text).toContain("?screen=done");
    expect(done?.mail.html).toContain("1,230");
  });

  describe("whose address is replaced", () => {
    const other = "bob.customer@example.com";
    const liveLinks = async (importId: string) =>
      (await listLinks(fixture.db, importId)).filter(({ purpose }) => purpose === "email").length;
    const isWaiting = async () => {
      const { rowCount } = await fixture.db.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    };
    const sentTo = () => fixture.server.received.map(({ to }) => to);

    test("before its link is made goes to the new address alone", async () => {
      const id = await givenMail();
      const holder = await fixture.db.pool.connect();
      try {
        // The sender has read the address, and waits for the partner.
        await holder.query("begin; lock table partners in access exclusive mode");
        const sending = senderTo(fixture.server.port).sendDue();
        await expect.poll(isWaiting, { timeout: 30_000 }).toBe(true);
        expect(await fixture.moveTo(id, other)).toBe("changed");
        await holder.query("commit");
        await sending;
      } finally {
        holder.release(true);
      }
      expect([sentTo(), await liveLinks(id)]).toEqual([[], 0]);
      expect(await kept(id)).toMatchObject([{ state: "waiting" }]);
      await fixture.makeDue();
      await senderTo(fixture.server.port).sendDue();
      expect([sentTo(), await liveLinks(id)]).toEqual([[[other]], 1]);
      expect(await kept(id)).toMatchObject([{ state: "sent" }]);
    });

    test("while its link is made waits, and gets none", async () => {
      const id = await givenMail();
      const holder = await fixture.db.pool.connect();
      try {
        // The address is being replaced: not committed yet.
        await holder.query("begin");
        await holder.query("select from imports where id = $1 for update", [id]);
        await holder.query("update mail_addresses set sealed = sealed || '\\x00' where import_id = $1", [id]);
        const sending = senderTo(fixture.server.port).sendDue();
        await expect.poll(isWaiting, { timeout: 30_000 }).toBe(true);
        await holder.query("commit");
        await sending;
      } finally {
        holder.release(true);
      }
      expect([sentTo(), await liveLinks(id)]).toEqual([[], 0]);
    });

    test("after it was handed over opens nothing, and the new address gets its own", async () => {
      const id = await givenMail();
      let moves = 0;
      const sender = senderTo(fixture.server.port, {}, async () => {
        moves += 1;
        if (moves === 1) await fixture.moveTo(id, other);
      });
      await sender.sendDue();
      expect([sentTo(), await liveLinks(id)]).toEqual([[[email]], 0]);
      await sender.sendDue();
      expect([sentTo(), await liveLinks(id)]).toEqual([[[email], [other]], 1]);
      expect(await kept(id)).toMatchObject([{ state: "sent" }]);
    });

    test("by the same one is sent once", async () => {
      const id = await givenMail();
      const sender = senderTo(fixture.server.port, {}, async () => void (await fixture.moveTo(id, email)));
      await sender.sendDue();
      await sender.sendDue();
      expect([sentTo(), await liveLinks(id)]).toEqual([[[email]], 1]);
    });
  });

  test("is not sent after the customer stopped mails or the import closed, and leaves no data", async () => {
    const stopped = await givenMail();
    const closed = await givenMail();
    await removeAddress(fixture.db, stopped);
    await move(closed, { type: "cancelled" });
    expect([await kept(stopped), await kept(closed)]).toEqual([[], []]);
    const { rows } = await fixture.db.pool.query("select from mail_addresses where import_id = any($1)", [
      [stopped, closed],
    ]);
    expect(rows).toHaveLength(0);
    await senderTo(fixture.server.port).sendDue();
    expect(fixture.server.received).toHaveLength(0);
  });

  test("about a sign-in is sent once per sign-in, and not after the customer signed in again", async () => {
    const id = await givenSampling();
    const ask = requireSignIn(fixture.db);
    await ask(id, "source", null);
    await ask(id, "source", null);
    expect(await kept(id)).toHaveLength(1);
    await fixture.db.pool.query("delete from import_warnings where import_id = $1", [id]);
    await senderTo(fixture.server.port).sendDue();
    expect([fixture.server.received.length, (await kept(id))[0]?.state]).toEqual([0, "dropped"]);
    const other = await givenSampling();
    await ask(other, "destination", null);
    await senderTo(fixture.server.port).sendDue();
    expect(fixture.server.received[0]?.mail.subject).toBe("Sign in to Redmine again so your move can go on");
    expect(fixture.server.received[0]?.mail.text).toContain("?screen=destination");
  });

  /** A sample is done, its mail is sent, and the customer has asked the partner to pay. */
  const givenAsked = async () => {
    const id = await givenMail({ name: "Acme Desk" });
    await senderTo(fixture.server.port).sendDue();
    await move(id, { type: "full_asked", payer: "partner_decides" });
    return id;
  };
  /** All received mails except those about samples. */
  const later = () =>
    fixture.server.received.filter(({ mail }) => mail.subject !== "Your sample is ready to review");
  const accept = { type: "sponsorship_accepted" } as const;
  const decline = { type: "sponsorship_rejected" } as const;
  const again = (id: string, event: ImportEvent) =>
    moveImport(fixture.db, event, { importId: id, partnerId: null, actor: { kind: "system" } });

  test.each([
    [accept, "Acme Desk will pay: start the move"],
    [decline, "Acme Desk doesn't pay for your move"],
    [{ type: "bought" } as const, "Your payment has arrived: start the move"],
  ])("asks the customer once to continue: %o", async (event, subject) => {
    const id = await givenAsked();
    await move(id, event);
    if (event.type !== "bought") expect((await again(id, event)).kind).toBe("unchanged");
    const sender = senderTo(fixture.server.port);
    expect(await sender.sendDue()).toBe(1);
    expect(await sender.sendDue()).toBe(0);
    expect(later().map(({ mail }) => mail.subject)).toEqual([subject]);
    expect(later()[0]?.mail.text).toContain("?screen=full");
  });

  test("reports each decision of a partner that changes its mind, but no outdated one", async () => {
    const id = await givenAsked();
    const sender = senderTo(fixture.server.port);
    for (const event of [accept, decline, accept]) {
      await move(id, event);
      await sender.sendDue();
    }
    expect(later().map(({ mail }) => mail.subject)).toEqual([
      "Acme Desk will pay: start the move",
      "Acme Desk doesn't pay for your move",
      "Acme Desk will pay: start the move",
    ]);
    const other = await givenAsked();
    await move(other, decline, accept);
    await sender.sendDue();
    expect(later().map(({ mail }) => mail.subject)).toHaveLength(4);
    expect((await kept(other)).map(({ state }) => state).toSorted()).toEqual(["dropped", "sent", "sent"]);
  });

  test("does not ask to start a migration that has started already", async () => {
    const id = await givenAsked();
    await move(id, accept, { type: "full_started" });
    await senderTo(fixture.server.port).sendDue();
    expect(later()).toHaveLength(0);
    expect((await kept(id)).map(({ state }) => state).toSorted()).toEqual(["dropped", "sent"]);
  });

  describe("about a planned start", () => {
    const plan = (id: string, startsAt: Date) =>
      scheduleStart(fixture.db, id, { startsAt, timeZone: "Europe/Berlin" });
    const soon = () => new Date(Date.now() + 1_800_000);

    test("names its time in its time zone, and leads to the plan", async () => {
      const id = await givenAsked();
      await move(id, accept);
      await senderTo(fixture.server.port).sendDue();
      const before = later().length;
      const startsAt = soon();
      await plan(id, startsAt);
      await runScheduledStarts(fixture.db)();
      await senderTo(fixture.server.port).sendDue();
      const [got] = later().slice(before);
      expect(got?.mail.subject).toMatch(/^Your move from .* starts soon$/);
      const time = new Intl.DateTimeFormat("en", { timeStyle: "short", timeZone: "Europe/Berlin" });
      expect(got?.mail.text?.replaceAll(/\s/g, " ")).toContain(time.format(startsAt).replaceAll(/\s/g, " "));
      expect(got?.mail.text).toContain("(Europe/Berlin)");
      expect(got?.mail.text).toContain("?screen=full");
    });

    test("is dropped if the plan was changed or cancelled before it was sent", async () => {
      const id = await givenAsked();
      await move(id, accept);
      await senderTo(fixture.server.port).sendDue();
      const before = later().length;
      await plan(id, soon());
      await runScheduledStarts(fixture.db)();
      await plan(id, new Date(Date.now() + 7_200_000));
      await senderTo(fixture.server.port).sendDue();
      await plan(id, soon());
      await runScheduledStarts(fixture.db)();
      await cancelSchedule(fixture.db, id);
      await senderTo(fixture.server.port).sendDue();
      expect(later()).toHaveLength(before);
    });

    test("says that it did not start, unless the customer has planned again", async () => {
      const id = await givenAsked();
      await move(id, accept);
      await senderTo(fixture.server.port).sendDue();
      const before = later().length;
      const miss = async () => {
        await fixture.db.pool.query("update scheduled_starts set state = 'due' where import_id = $1", [id]);
        await move(id, { type: "attention_required", reason: "source_sign_in" });
      };
      await plan(id, new Date(Date.now() + 7_200_000));
      await miss();
      await senderTo(fixture.server.port).sendDue();
      expect(
        later()
          .slice(before)
          .map(({ mail }) => mail.subject),
      ).toEqual(["Your move didn't start at the planned time"]);
      await plan(id, new Date(Date.now() + 7_200_000));
      await miss();
      await plan(id, new Date(Date.now() + 7_200_000));
      await senderTo(fixture.server.port).sendDue();
      expect(later()).toHaveLength(before + 1);
    });
  });

  test("is sent by one of several workers", async () => {
    for (let i = 0; i < 12; i++) await givenMail();
    const senders = [
      senderTo(fixture.server.port),
      senderTo(fixture.server.port),
      senderTo(fixture.server.port),
    ];
    for (let more = 1; more > 0; ) {
      const counts = await Promise.all(senders.map((sender) => sender.sendDue()));
      more = Math.max(...counts);
    }
    expect(fixture.server.received).toHaveLength(12);
    expect(new Set(fixture.server.received.map(({ mail }) => mail.messageId)).size).toBe(12);
  });
});
