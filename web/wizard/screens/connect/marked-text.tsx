import { createElement, Fragment } from "react";

/** A connector's sentence, in which **words** are such as the tool shows them. Anything else stays text. */
export const MarkedText = ({ text }: { text: string }) =>
  createElement(
    Fragment,
    null,
    ...text
      .split(/\*\*(.+?)\*\*/)
      .map((part, index) => (index % 2 === 1 ? createElement("b", null, part) : part)),
  );
