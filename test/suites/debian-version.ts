import { execFileSync } from "node:child_process";

/** The version of an installed package. */
export const debianVersion = (name: string): string =>
  execFileSync("dpkg-query", ["-W", "-f", "${Version}", name], { encoding: "utf8" }).trim();
