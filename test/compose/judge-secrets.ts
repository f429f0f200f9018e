import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Composition } from "../../deploy/podman/composition.ts";
import { podman, run } from "../../deploy/podman/engine.ts";
import type { Proof } from "../support/proof.ts";

/** What is secret in the files: the whole, and the part of a key after its id. The public half of a key is none. */
export const readSecrets = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name !== "restate-identity-keys")
    .map((name) => readFileSync(join(folder, name), "utf8").trim())
    .flatMap((text) => [text, ...text.split(/[:\n]/).filter((part) => part.length >= 40)])
    .filter((text) => text !== "" && !text.startsWith("-----"));

/** Looks for secrets where an operator or a registry would show them. */
export const judgeSecrets = (
  proof: Proof,
  composition: Composition,
  {
    image,
    secrets,
    logs,
  }: { readonly image: string; readonly secrets: readonly string[]; readonly logs: string },
): void => {
  const containers = Object.keys(composition.file.services).map((name) => composition.containerOf(name));
  const places = {
    inspect: podman("inspect", ...containers),
    "image inspect": podman("image", "inspect", image),
    history: podman("history", "--no-trunc", "--format", "json", image),
    logs,
  };
  for (const [place, text] of Object.entries(places)) {
    const found = secrets.filter((secret) => text.includes(secret)).length;
    proof.holds(`no secret is in ${place}`, text.length > 100 && found === 0, { of: secrets.length, found });
  }
  const root = podman("image", "mount", image);
  try {
    // It ends with 1 if it finds nothing.
    const grep = (patterns: readonly string[]) =>
      run(
        "sh",
        ["-c", `grep -rlFf - ${root}/app ${root}/home ${root}/etc ${root}/usr/local || [ $? = 1 ]`],
        patterns.join("\n"),
      );
    proof.holds("a search through the image's files finds what is there", grep(['"@portage/server"']) !== "");
    const found = grep(secrets);
    proof.holds("no secret is in the image's files", found === "", found);
  } finally {
    podman("image", "umount", image);
  }
};
