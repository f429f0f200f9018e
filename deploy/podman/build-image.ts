import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildah, run } from "./engine.ts";

/** What npm needs to know of this machine. It reaches the build as mounted files: neither image nor history has it. */
const npmMounts = (folder: string): readonly string[] => {
  const certificates = process.env["NODE_EXTRA_CA_CERTS"];
  const lines = [`registry=${run("npm", ["config", "get", "registry"])}`];
  const mounts = [`${folder}/npmrc:/usr/local/etc/npmrc:ro`];
  if (certificates) {
    copyFileSync(certificates, join(folder, "certificates.pem"));
    lines.push("cafile=/run/build-certificates.pem");
    mounts.push(`${folder}/certificates.pem:/run/build-certificates.pem:ro`);
  }
  writeFileSync(join(folder, "npmrc"), `${lines.join("\n")}\n`);
  return mounts.flatMap((mount) => ["--volume", mount]);
};

/** Builds deploy/Dockerfile, as it is, from a folder with the repository. */
export const buildImage = (repository: string, image: string, version: string): void => {
  const folder = mkdtempSync(join(tmpdir(), "portage-build-"));
  try {
    buildah(
      "build",
      // chroot and the machine's network: the steps of a build need no more isolation than `npm ci` here has
      "--isolation",
      "chroot",
      "--network",
      "host",
      "--format",
      "docker",
      "--layers=false",
      "--pull-never",
      ...npmMounts(folder),
      "--build-arg",
      `VERSION=${version}`,
      "--tag",
      image,
      "--file",
      join(repository, "deploy/Dockerfile"),
      repository,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};
