import { type StatusCode, statusTexts } from "@portage/contract";
import type { Answer } from "../../answer.ts";
import { textsIn } from "../../../platform/texts/texts.ts";
import { problemPage } from "./problem-page.ts";

/** The page behind the customer link of the sandbox: it names the sandbox as such. */
export const sandboxPage = (status: StatusCode): Answer =>
  problemPage({
    texts: textsIn("en"),
    status: 200,
    icon: "box",
    partner: null,
    title: "This is the sandbox",
    lead: `It stands at “${statusTexts[status]}”. Nothing is read from any tool and nothing is written to any.`,
    list: {
      title: "What you see here",
      items: [
        "The application sent its customer to the right place. A real customer would connect both tools here.",
        "An import of the sandbox never changes. To see one go through its statuses, use the simulator.",
      ],
    },
  });
