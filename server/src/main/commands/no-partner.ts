import { CommandError } from "./command-error.ts";

/** What a command says if the operator API knows no such partner. */
export const noPartner = (id: string) => ({
  not_found: () =>
    new CommandError("unknown_partner", `There is no partner ${id}.`, { fix: "Run: portage partner list" }),
});
