import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readCompose } from "./compose-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "portage-secrets-"));
  copyFileSync(join(import.meta.dirname, "new-secrets.sh"), join(folder, "new-secrets.sh"));
  // In place of the container engine: notes its arguments, and writes the private key that the real command writes.
  writeFileSync(
    join(folder, "engine"),
    `#!/bin/sh\necho "$@" >>"${folder}/calls"\necho made\necho private >"${folder}/secrets/restate-identity.pem"\n`,
    { mode: 0o700 },
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const makeSecrets = (env: Readonly<Record<string, string>> = {}) =>
  execFileSync("sh", [join(folder, "new-secrets.sh")], {
    env: { PATH: process.env["PATH"], ENGINE: join(folder, "engine"), ...env },
  });
const imageOf = () => /portage:\S+/.exec(readFileSync(join(folder, "calls"), "utf8"))?.[0];

test.each([
  ["", {}, "portage:dev"],
  ["PUBLIC_URL=https://portage.example\nVERSION=0.1.0\n", {}, "portage:0.1.0"],
  ['VERSION="0.1.0"\n', {}, "portage:0.1.0"],
  ["# VERSION=0.1.0\n", {}, "portage:dev"],
  ["VERSION=0.1.0\n", { VERSION: "0.2.0" }, "portage:0.2.0"],
])("with the settings %j and the environment %j it runs %s", (settings, env, image) => {
  writeFileSync(join(folder, ".env"), settings);
  makeSecrets(env);
  expect(imageOf()).toBe(image);
});

test("without settings it runs portage:dev", () => {
  makeSecrets();
  expect(imageOf()).toBe("portage:dev");
});

test("makes every secret of the compose file, changes none, and only people's own are writable", () => {
  makeSecrets();
  const secrets = join(folder, "secrets");
  const { secrets: named = {} } = readCompose(
    readFileSync(join(import.meta.dirname, "compose.yaml"), "utf8"),
  );
  expect(readdirSync(secrets).toSorted()).toEqual(
    Object.values(named)
      .map(({ file }) => file.replace("./secrets/", ""))
      .toSorted(),
  );
  expect(statSync(secrets).mode & 0o777).toBe(0o700);
  const modeOf = (name: string) => statSync(join(secrets, name)).mode & 0o777;
  expect([modeOf("portage-keys"), modeOf("smtp-url")]).toEqual([0o444, 0o644]);
  const password = readFileSync(join(secrets, "database-password"), "utf8");
  writeFileSync(join(secrets, "smtp-url"), "smtps://mail.example.com");
  makeSecrets();
  expect(readFileSync(join(secrets, "database-password"), "utf8")).toBe(password);
  expect(readFileSync(join(secrets, "smtp-url"), "utf8")).toBe("smtps://mail.example.com");
});
