import type { FastifyRequest } from "fastify";
import { type Texts, textsIn } from "../../../platform/texts/texts.ts";

/** Set by the wizard when the customer chooses a language. */
const chosen = /(?:^|;)\s*portage-language=([A-Za-z-]{2,12})\s*(?:;|$)/;

/** The languages of an Accept-Language header, the most wanted first. */
const acceptedLanguages = (header: string | undefined): readonly string[] =>
  (header ?? "")
    .slice(0, 500)
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((each) => each.trim());
      const quality = parameters.find((each) => /^q=/i.test(each))?.slice(2);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);

/** The texts in the language that the customer chose in this browser, else in one that the browser asks for. */
export const requestTexts = ({ headers }: Pick<FastifyRequest, "headers">): Texts =>
  textsIn(chosen.exec(headers.cookie ?? "")?.[1], ...acceptedLanguages(headers["accept-language"]));
