import { describe, expect, test } from "vitest";
import { useMailFixture } from "../../../../test/support/mail-fixture.ts";
import { makeCertificate } from "../../../../test/support/mail-server.ts";
import { Secret } from "../../platform/secret.ts";
import { listLinks } from "../links/index.ts";

const fixture = useMailFixture();
const { another, givenMail, kept, lines, makeDue, senderTo } = fixture;
const certificate = makeCertificate();

describe("a mail server that refuses or is down", () => {
  test.each([
    ["busy with the recipient", { rcpt: 451 }],
    ["busy with the message", { data: 452 }],
  ])("%s gets a retry later, with the same Message-ID and a working link", async (_, refusals) => {
    const id = await givenMail();
    const sender = senderTo(fixture.server.port);
    fixture.server.refuse(refusals);
    await sender.sendDue();
    expect(await listLinks(fixture.db, id)).toEqual([]);
    const [first] = await kept(id);
    expect(first).toMatchObject({ state: "waiting", attempts: 1 });
    expect(first?.late).toBeGreaterThan(50);
    expect(await sender.sendDue()).toBe(0);
    fixture.server.refuse({});
    await makeDue();
    await sender.sendDue();
    expect((await kept(id))[0]).toMatchObject({ state: "sent", attempts: 2 });
    expect(fixture.server.received[0]?.mail.messageId).toBe(`<${first?.id}@portage.example>`);
    expect(await listLinks(fixture.db, id)).toHaveLength(1);
  });

  test.each([{ rcpt: 550 }, { data: 554 }])("gets no retry after a final refusal: %j", async (refusals) => {
    const id = await givenMail();
    fixture.server.refuse(refusals);
    await senderTo(fixture.server.port).sendDue();
    expect((await kept(id))[0]?.state).toBe("refused");
    expect(await listLinks(fixture.db, id)).toEqual([]);
  });

  test("keeps the mail waiting if it refuses our sign-in, which the operator can fix", async () => {
    const picky = await another({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, done) =>
        password === "right" ? done(null, { user: username }) : done(new Error("no")),
    });
    const id = await givenMail();
    const auth = (password: string) => ({ auth: { user: "portage", password: new Secret(password) } });
    await senderTo(picky.port, auth("wrong")).sendDue();
    expect((await kept(id))[0]?.state).toBe("waiting");
    await makeDue();
    await senderTo(picky.port, auth("right")).sendDue();
    expect([(await kept(id))[0]?.state, picky.received[0]?.user]).toEqual(["sent", "portage"]);
    expect(lines.join("")).not.toMatch(/wrong|right/);
  });

  test("gets retries for two days if it is unreachable, then the sender gives up", async () => {
    const id = await givenMail();
    const sender = senderTo(1);
    let waitedSeconds = 0;
    for (let attempt = 1; attempt <= 9; attempt++) {
      await makeDue();
      await sender.sendDue();
      const [mail] = await kept(id);
      if (mail?.state === "waiting") waitedSeconds += mail.late;
      expect(mail).toMatchObject({ attempts: attempt, state: attempt < 9 ? "waiting" : "given_up" });
    }
    expect(waitedSeconds / 3_600).toBeGreaterThan(40);
  });
});

describe("TLS", () => {
  test("is used if the server offers it, and its certificate is verified", async () => {
    const tls = await another({ ...certificate });
    const id = await givenMail();
    await senderTo(tls.port, { requireTls: true }).sendDue();
    expect([tls.received.length, (await kept(id))[0]?.state]).toEqual([0, "waiting"]);
    await makeDue();
    await senderTo(tls.port, { requireTls: true, ca: certificate.cert }).sendDue();
    expect(tls.received[0]?.secure).toBe(true);
  });

  test("starts with the first byte on a secure port", async () => {
    const tls = await another({ ...certificate, secure: true });
    await givenMail();
    await senderTo(tls.port, { secure: true, requireTls: true, ca: certificate.cert }).sendDue();
    expect(tls.received[0]?.secure).toBe(true);
  });

  test("that is required and not offered: the client sends nothing, no password either", async () => {
    let asked = false;
    const plain = await another({
      allowInsecureAuth: true,
      onAuth: (_, __, done) => {
        asked = true;
        done(null, { user: "portage" });
      },
    });
    const id = await givenMail();
    const auth = { user: "portage", password: new Secret("the password") };
    await senderTo(plain.port, { requireTls: true, auth }).sendDue();
    expect([asked, plain.received.length, (await kept(id))[0]?.state]).toEqual([false, 0, "waiting"]);
  });
});

test("no log line contains the address, a part of it or a link, whatever the server answers", async () => {
  fixture.server.refuse({ rcpt: 550 });
  await givenMail();
  await senderTo(fixture.server.port).sendDue();
  fixture.server.refuse({});
  await givenMail();
  await senderTo(fixture.server.port).sendDue();
  await givenMail();
  await senderTo(1).sendDue();
  const logged = lines.join("");
  expect(logged).toContain('"mail refused"');
  expect(logged).toContain('"mail sent"');
  expect(logged).toContain('"mail not sent"');
  expect(logged).not.toMatch(/example\.com|alice|jo\.doe|https?:/);
});

test("the address is sealed: no table holds it", async () => {
  const id = await givenMail();
  const { rows } = await fixture.db.pool.query<{ sealed: Buffer }>(
    "select sealed from mail_addresses where import_id = $1",
    [id],
  );
  expect(rows[0]?.sealed.toString("latin1")).not.toContain("alice");
  const { rows: mails } = await fixture.db.pool.query("select * from mails");
  expect(JSON.stringify(mails)).not.toContain("example.com");
});
