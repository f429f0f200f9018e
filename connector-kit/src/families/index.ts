import type { Family } from "@portage/contract";
import { content } from "./content.ts";
import { crm } from "./crm.ts";
import { helpdesk } from "./helpdesk.ts";
import { projects } from "./projects.ts";
import type { FamilyStream } from "./stream.ts";

export { content, crm, helpdesk, projects };

/** Every family's streams, in the order of copying. */
export const familyStreams: Readonly<Record<Family, readonly FamilyStream[]>> = {
  helpdesk: Object.values(helpdesk),
  projects: Object.values(projects),
  crm: Object.values(crm),
  content: Object.values(content),
};

export const findStream = (family: Family, name: string): FamilyStream | undefined =>
  familyStreams[family].find((stream) => stream.name === name);
