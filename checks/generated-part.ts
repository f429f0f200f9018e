/** Replaces the part of a page between its marks: `<!-- NAME, generated -->` and `<!-- end of NAME -->`. */
export const withGenerated = (page: string, name: string, part: string): string => {
  const begin = `<!-- ${name}, generated -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(`<!-- end of ${name} -->`);
  if (from < 0 || to < from) throw new Error(`The page has no place for its ${name}.`);
  return `${page.slice(0, from)}${begin}\n\n${part}\n\n${page.slice(to)}`;
};
