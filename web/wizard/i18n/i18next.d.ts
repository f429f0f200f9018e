import "i18next";
import type choose from "./en/choose.json";
import type connect from "./en/connect.json";
import type destination from "./en/destination.json";
import type done from "./en/done.json";
import type email from "./en/email.json";
import type fields from "./en/fields.json";
import type files from "./en/files.json";
import type fix from "./en/fix.json";
import type full from "./en/full.json";
import type kinds from "./en/kinds.json";
import type matching from "./en/matching.json";
import type move from "./en/move.json";
import type people from "./en/people.json";
import type preflight from "./en/preflight.json";
import type preview from "./en/preview.json";
import type reasons from "./en/reasons.json";
import type review from "./en/review.json";
import type running from "./en/running.json";
import type sample from "./en/sample.json";
import type shell from "./en/shell.json";
import type start from "./en/start.json";
import type undo from "./en/undo.json";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "shell";
    /** A key that is missing in the catalogue is a type error. */
    resources: {
      choose: typeof choose;
      connect: typeof connect;
      destination: typeof destination;
      done: typeof done;
      email: typeof email;
      fields: typeof fields;
      files: typeof files;
      fix: typeof fix;
      full: typeof full;
      kinds: typeof kinds;
      matching: typeof matching;
      move: typeof move;
      people: typeof people;
      preflight: typeof preflight;
      preview: typeof preview;
      reasons: typeof reasons;
      review: typeof review;
      running: typeof running;
      sample: typeof sample;
      shell: typeof shell;
      start: typeof start;
      undo: typeof undo;
    };
  }
}
