// `npm run texts` keeps the translations of the texts for customers: it puts them into the order of the English
// catalogues, drops what English no longer has, marks what was translated, and lists what is open.
//   --verify               change nothing; fail if something is open (part of npm run check)
//   --todo FILE            write the open texts to a file, in English, to be translated there
//   --apply FILE           take the texts of such a file over
//   --still-right KEY …    the English text changed, and its translations are right all the same
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { languageCodes } from "@portage/contract/languages";
import {
  arrange,
  type Catalogue,
  type Catalogues,
  type Comparison,
  formsToTranslate,
  judgeTranslation,
  markTranslated,
  type Marks,
  openKeys,
  textsOf,
} from "./translations.ts";

const root = join(import.meta.dirname, "..");
const folders = ["web/wizard/i18n", "server/src/platform/texts"].map((folder) => join(root, folder));
const translations = languageCodes.filter((code) => code !== "en");

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const write = (file: string, value: unknown) => {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
};

const readCatalogues = (folder: string, language: string): Catalogues =>
  Object.fromEntries(
    globSync(`${folder}/${language}/*.json`)
      .toSorted()
      .map((file) => [basename(file, ".json"), read(file) as Catalogue]),
  );

const marksFile = (folder: string, language: string) => join(folder, `${language}.marks.json`);

const compare = (folder: string, language: string): Comparison => ({
  language,
  english: readCatalogues(folder, "en"),
  translated: readCatalogues(folder, language),
  marks: existsSync(marksFile(folder, language)) ? (read(marksFile(folder, language)) as Marks) : {},
});

const each = <T>(work: (folder: string, language: string) => readonly T[]): readonly T[] =>
  folders.flatMap((folder) => translations.flatMap((language) => work(folder, language)));

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Writes the files of one language anew; a key is the same in every folder only if its catalogue is. */
const update = (
  folder: string,
  language: string,
  given: Readonly<Record<string, string>>,
  right: ReadonlySet<string>,
) => {
  const { english, translated } = compare(folder, language);
  mkdirSync(join(folder, language), { recursive: true });
  for (const [name, catalogue] of Object.entries(english))
    write(
      join(folder, language, `${name}.json`),
      arrange(language, catalogue, translated[name], given, name),
    );
  write(marksFile(folder, language), markTranslated(compare(folder, language), right));
};

const todo = (): Texts =>
  Object.fromEntries(
    translations.flatMap((language) => {
      const open = folders.flatMap((folder) => {
        const compared = compare(folder, language);
        const english = textsOf(compared.english);
        return openKeys(compared).map((key) => english.get(key) ?? { key, forms: {} });
      });
      const texts = Object.assign({}, ...open.map((text) => formsToTranslate(language, text))) as Record<
        string,
        string
      >;
      return Object.keys(texts).length === 0 ? [] : [[language, texts]];
    }),
  );

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    verify: { type: "boolean", default: false },
    todo: { type: "string" },
    apply: { type: "string" },
    "still-right": { type: "boolean", default: false },
  },
});

if (values.todo !== undefined) write(values.todo, todo());
else if (!values.verify) {
  const given = values.apply === undefined ? {} : (read(values.apply) as Texts);
  const right = new Set(values["still-right"] ? positionals : []);
  for (const folder of folders)
    for (const language of translations) update(folder, language, given[language] ?? {}, right);
}

const problems = each((folder, language) =>
  judgeTranslation(compare(folder, language)).map(
    (problem) => `${relative(root, folder)}/${language} ${problem}`,
  ),
);
if (values.todo === undefined && problems.length > 0) {
  console.error(problems.join("\n"));
  console.error(
    `${problems.length} texts are open. Translate them and run “npm run texts”; docs/languages.md says how.`,
  );
  process.exitCode = 1;
}
