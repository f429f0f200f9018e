import { statusTexts } from "@portage/contract";
import type { ImportWithWarnings } from "../../../features/imports/index.ts";
import type { Partner } from "../../../features/partners/index.ts";
import type { Answer } from "../../answer.ts";
import { textsIn } from "../../../platform/texts/texts.ts";
import { problemPage } from "./problem-page.ts";

interface Looked {
  readonly found: ImportWithWarnings;
  /** The scenario has ended: no further step follows. */
  readonly isOver: boolean;
  readonly partner: Partner | null;
}

const movedText = ({ counted }: ImportWithWarnings) => {
  const moved = Object.entries(counted.items).map(
    ([stream, count]) => `${count.toLocaleString("en-US")} ${stream}`,
  );
  return moved.length === 0 ? "Nothing counts as moved now." : `Counts as moved now: ${moved.join(", ")}.`;
};

/** The page behind the customer link of a simulation: it names the simulation as such and shows its progress. */
export const simulationPage = ({ found, isOver, partner }: Looked): Answer => {
  const { state, warnings } = found;
  const common = { texts: textsIn("en"), icon: "again", partner } as const;
  if (state.closed)
    return problemPage({
      ...common,
      status: 410,
      tone: "warn",
      list: null,
      title: "This simulation was canceled",
      lead: `It stood at “${statusTexts[state.status]}”. Nothing real was moved.`,
    });
  return problemPage({
    ...common,
    status: 200,
    changes: !isOver,
    title: "This is a simulation",
    lead: `It stands at “${statusTexts[state.status]}”. Nothing is read from any tool and nothing is written to any.`,
    list: {
      title: "What you see here",
      items: [
        "The application sent its customer to the right place. A real customer would connect both tools here.",
        movedText(found),
        ...warnings.map(({ message }) => message),
        isOver
          ? "It is over: nothing more happens by itself."
          : "It goes on by itself, as if a customer were here, and this page follows it.",
      ],
    },
  });
};
