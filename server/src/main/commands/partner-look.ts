import { readFile } from "node:fs/promises";
import { deriveTheme, readLogo } from "../../features/partners/index.ts";
import { CommandError } from "./command-error.ts";

const refused = (message: string) =>
  new CommandError("invalid_settings", `--logo ${message}`, { exitCode: 2 });

/** Reads the file of --logo, in base64. Undefined: the option is absent; null: remove the logo. */
export const logoFrom = async (file: string | undefined): Promise<string | null | undefined> => {
  if (file === undefined) return undefined;
  if (file === "") return null;
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw refused(`can't be read: ${file} (${error.code ?? "no code"})`);
  });
  const read = readLogo(bytes);
  if (read.kind === "refused") throw refused(read.message);
  return bytes.toString("base64");
};

/** Tells the operator that the color lacks contrast and which lightness the pages use instead. */
export const colorRemark = (color: string | undefined): string | undefined => {
  if (color === undefined) return undefined;
  const theme = deriveTheme(color);
  const used = theme.moved.map((scheme) => `${theme[scheme].brand} in ${scheme} pages`);
  return used.length === 0
    ? undefined
    : `${color} lacks contrast. Pages use another lightness of it: ${used.join(", ")}.`;
};
