import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { readMail } from "./mail.ts";

const required = {
  DATABASE_URL: "postgres://127.0.0.1/portage",
  PORTAGE_KEYS: `k1:${Buffer.alloc(32).toString("base64")}`,
  PUBLIC_URL: "https://portage.example.com/",
};
const read = (env: Record<string, string>) => readMail(readConfig({ ...required, ...env }));
const MAIL_FROM = "moves@portage.example.com";

test("mail is off without settings, and half of the settings is an error", () => {
  expect(read({})).toBeNull();
  expect(read({ SMTP_URL: "", MAIL_FROM: "" })).toBeNull();
  for (const env of [{ SMTP_URL: "smtp://mail.example.com" }, { MAIL_FROM }] as Record<string, string>[])
    expect(() => read(env)).toThrow("SMTP_URL and MAIL_FROM belong together");
});

test.each([
  ["smtp://mail.example.com", { host: "mail.example.com", port: 587, secure: false, requireTls: true }],
  ["smtps://mail.example.com", { port: 465, secure: true, requireTls: true }],
  ["smtp://Localhost:25", { host: "localhost", port: 25, requireTls: false }],
  ["smtp://127.0.0.1:2525", { host: "127.0.0.1", requireTls: false }],
  ["smtp://[::1]:25", { host: "::1", requireTls: false }],
  ["smtp://127.0.0.1.example.com", { requireTls: true }],
  ["smtp://10.0.0.1:25", { requireTls: true }],
])("%s", (SMTP_URL, server) => {
  expect(read({ SMTP_URL, MAIL_FROM })).toMatchObject({ from: MAIL_FROM, server: { ...server, auth: null } });
});

test("a password may contain any character, and is never shown", () => {
  const mail = read({ SMTP_URL: "smtp://us%40er:p%2Fw%3A%40@mail.example.com:2587", MAIL_FROM });
  expect([mail?.server.auth?.user, mail?.server.auth?.password.reveal()]).toEqual(["us@er", "p/w:@"]);
  expect(JSON.stringify(mail)).not.toContain("p/w");
});

test.each([
  { SMTP_URL: "http://mail.example.com", MAIL_FROM },
  { SMTP_URL: "mail.example.com:25", MAIL_FROM },
  { SMTP_URL: "smtp://mail.example.com", MAIL_FROM: "Portage <moves@portage.example.com>" },
  { SMTP_URL: "smtp://mail.example.com", MAIL_FROM: "moves@portage.example.com\r\nBcc: eve@example.com" },
])("rejects %j", (env) => {
  expect(() => read(env)).toThrow(/SMTP_URL must be|MAIL_FROM must be/);
});
