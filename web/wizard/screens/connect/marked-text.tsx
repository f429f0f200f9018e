import { createElement, Fragment } from "react";

/** A connector's sentence, in which **bold** marks labels of the tool. Everything else is plain text. */
export const MarkedText = ({ text }: { text: string }) =>
  createElement(
    Fragment,
    null,
    ...text
      .split(/\*\*(.+?)\*\*/)
      .map((part, index) => (index % 2 === 1 ? createElement("b", null, part) : part)),
  );
