import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Ids {
  readonly uid: number;
  readonly gid: number;
}

export const idsOf = (user: string): Ids => {
  const ask = (what: string) => Number(execFileSync("id", [what, user], { encoding: "utf8" }));
  return { uid: ask("-u"), gid: ask("-g") };
};

/** The files of one instance. */
export interface RedmineFolder {
  readonly root: string;
  /** The name by which Debian's package finds the instance. */
  readonly instance: string;
  readonly database: string;
  readonly socket: string;
  readonly config: string;
  readonly logs: string;
  readonly mails: string;
  readonly state: string;
  readonly link: string;
}

export const redmineFolder = (root: string): RedmineFolder => {
  const instance = `portage_${createHash("sha256").update(root).digest("hex").slice(0, 10)}`;
  return {
    root,
    instance,
    database: join(root, "database"),
    // A socket's path has at most 107 characters, so it can't be in an arbitrary folder.
    socket: `/run/${instance}`,
    config: join(root, "redmine", "config"),
    logs: join(root, "redmine", "log"),
    mails: join(root, "redmine", "mails"),
    state: join(root, "state.json"),
    link: `/var/lib/redmine/${instance}`,
  };
};

/** With a port, mails go to the mail server there; otherwise they become files, one per address. */
const mailSettings = (folder: RedmineFolder, smtpPort: number | undefined) =>
  smtpPort === undefined
    ? `delivery_method: :file\n    file_settings:\n      location: ${folder.mails}\n`
    : `delivery_method: :smtp\n    smtp_settings:\n      address: 127.0.0.1\n      port: ${smtpPort}\n      enable_starttls_auto: false\n`;

export const layOutFolder = (folder: RedmineFolder, web: Ids, database: Ids, smtpPort?: number): void => {
  mkdirSync(folder.root, { recursive: true });
  chmodSync(folder.root, 0o755);
  const own = (path: string, { uid, gid }: Ids) => {
    mkdirSync(path, { recursive: true });
    chownSync(path, uid, gid);
  };
  own(join(folder.root, "redmine"), web);
  for (const name of ["config", "log", "files", "tmp", "mails", "public", "public/plugin_assets"])
    own(join(folder.root, "redmine", name), web);
  own(folder.database, database);
  chmodSync(folder.database, 0o700);
  own(folder.socket, { uid: database.uid, gid: web.gid });
  if (!existsSync(folder.link)) symlinkSync(join(folder.root, "redmine"), folder.link);
  const write = (name: string, text: string) => {
    const path = join(folder.config, name);
    if (existsSync(path)) return;
    writeFileSync(path, text, { mode: 0o640 });
    chownSync(path, web.uid, web.gid);
  };
  write(
    "database.yml",
    `production: { adapter: postgresql, database: redmine, host: ${folder.socket}, username: redmine, encoding: utf8, pool: 16 }\n`,
  );
  write("configuration.yml", `default:\n  email_delivery:\n    ${mailSettings(folder, smtpPort)}`);
  write("secret_key.txt", randomBytes(32).toString("hex"));
};

export const removeFolder = (folder: RedmineFolder): void => {
  for (const path of [folder.link, folder.socket, folder.root])
    rmSync(path, { recursive: true, force: true });
};
