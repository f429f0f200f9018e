import type {
  Connector,
  DestinationStream,
  FamilyRecord,
  FieldSetup,
  FileBody,
  SourceStream,
} from "@portage/connector-kit";
import type { StandInSettings } from "../tools/stand-in/connector.ts";

type Tool = Connector<StandInSettings>;
type Source = SourceStream<FamilyRecord, StandInSettings>;
type Destination = DestinationStream<FamilyRecord, StandInSettings>;

/** The good connector with one defect. */
export type Mutate = (good: Tool) => Tool;

export const sources =
  (mutate: (stream: Source) => Partial<Source>): Mutate =>
  (good) => ({
    ...good,
    source: { helpdesk: good.source?.helpdesk?.map((each) => ({ ...each, ...mutate(each) })) ?? [] },
  });

export const destinations =
  (mutate: (stream: Destination) => Partial<Destination>): Mutate =>
  (good) => ({
    ...good,
    destination: {
      helpdesk: good.destination?.helpdesk?.map((each) => ({ ...each, ...mutate(each) })) ?? [],
    },
  });

export const settingUp = (
  mutate: (setup: FieldSetup<StandInSettings>, stream: string) => Partial<FieldSetup<StandInSettings>>,
): Mutate =>
  destinations(({ fieldSetup, stream }) =>
    fieldSetup ? { fieldSetup: { ...fieldSetup, ...mutate(fieldSetup, stream.name) } } : {},
  );

/** A file without its last byte. */
export const shorter = (file: FileBody): FileBody => ({
  ...file,
  size: file.size === null ? null : file.size - 1,
  async *open() {
    let left = (file.size ?? 1) - 1;
    for await (const chunk of await file.open()) {
      yield chunk.subarray(0, Math.max(0, left));
      left -= chunk.byteLength;
    }
  },
});
