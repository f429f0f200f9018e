import { CommandError } from "./command-error.ts";

/** What a command says if the operator API knows no such import. */
export const noImport = (id: string) => ({
  not_found: () =>
    new CommandError("unknown_import", `There is no import ${id}.`, {
      fix: "Run: portage import list (--partner filters by partner)",
    }),
});
