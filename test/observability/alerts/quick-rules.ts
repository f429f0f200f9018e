/** How much shorter the times of the copy are. */
const quicker = 30;
const window = "30s";

const scaled = (seconds: number) => String(Math.max(2, Math.round(seconds / quicker)));

/** A copy of the alert rules that needs seconds where the originals need minutes. Nothing else of them changes. */
export const quickRules = (rules: string): string =>
  rules
    .replaceAll(/^( +for: )\d+m$/gm, "$11s")
    .replaceAll(/\[\d+m\]/g, `[${window}]`)
    .replaceAll(/offset \d+m/g, `offset ${window}`)
    // Thresholds in seconds; shares and counts are below 60.
    .replaceAll(/> (\d{2,})(?=[' ])/g, (text, number: string) =>
      Number(number) < 60 ? text : `> ${scaled(Number(number))}`,
    );
