// `npm run build:site`: the Markdown files of the repository become pages, Astro builds them, and what a strict policy
// would refuse moves out of them. Fails if the first page loads more than 200 kB.
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { sitePages } from "../pages.ts";
import { firstLoad } from "./first-load.ts";
import { hashOf, moveInline, styleSheetOf } from "./move-inline.ts";
import { renderPage } from "./render-page.ts";
import { screensFolder } from "../screens.ts";
import { base, repository } from "../settings.ts";

const site = join(import.meta.dirname, "..");
const root = join(site, "..");
const content = join(site, "src/content/docs");
const dist = join(site, "dist");
const maxBytes = 200_000;

const startedAt = performance.now();
const report = (what: string) =>
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${what}`);

const taken = globSync("*.png", { cwd: screensFolder }).map((file) => basename(file, ".png"));

const writePages = () => {
  rmSync(content, { recursive: true, force: true });
  const pages = sitePages(root);
  const write = (slug: string, text: string) => {
    const file = join(content, `${slug}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  for (const page of pages)
    write(
      page.slug,
      renderPage(page, readFileSync(join(root, page.source), "utf8"), {
        pages,
        base,
        repository,
        screens: new Set(taken),
      }),
    );
  return pages.length;
};

const runAstro = () => {
  const astro = dirname(createRequire(join(site, "package.json")).resolve("astro/package.json"));
  const { bin } = JSON.parse(readFileSync(join(astro, "package.json"), "utf8")) as { bin: { astro: string } };
  rmSync(dist, { recursive: true, force: true });
  // --force: the cache of an earlier build does not notice other settings.
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(astro, bin.astro), "build", "--force"],
    {
      cwd: site,
      encoding: "utf8",
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
    },
  );
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  process.exit(1);
};

const moveInlineParts = () => {
  const folder = join(dist, "_astro");
  mkdirSync(folder, { recursive: true });
  const rules = new Map<string, string>();
  const pages = globSync("**/*.html", { cwd: dist }).map((file) => {
    const moved = moveInline(readFileSync(join(dist, file), "utf8"), `${base}/_astro`);
    for (const [name, text] of moved.files) writeFileSync(join(folder, name), text);
    for (const [name, declarations] of moved.rules) rules.set(name, declarations);
    // Wide tables scroll, so the keyboard must reach them.
    return { file, html: moved.html.replaceAll("<table>", '<table tabindex="0">') };
  });
  const css = styleSheetOf(rules);
  const name = `attributes-${hashOf(css)}.css`;
  writeFileSync(join(folder, name), css);
  const link = `<link rel="stylesheet" href="${base}/_astro/${name}">`;
  for (const { file, html } of pages)
    writeFileSync(
      join(dist, file),
      html.replace("</head>", () => `${link}</head>`),
    );
};

/** The server sends these to clients that accept them. */
const compress = () => {
  for (const file of globSync("**/*.{html,js,css,svg,json}", { cwd: dist })) {
    const bytes = readFileSync(join(dist, file));
    writeFileSync(join(dist, `${file}.gz`), gzipSync(bytes, { level: 9 }));
    writeFileSync(
      join(dist, `${file}.br`),
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    );
  }
};

report(`${writePages()} pages written`);
// A test shows with this that the image's build has all files that the pages are made from.
if (process.argv.includes("--pages")) process.exit();
runAstro();
report("built");
if (taken.length > 0) cpSync(screensFolder, join(dist, "screens"), { recursive: true });
report(
  taken.length > 0
    ? `${taken.length} pictures of screens`
    : "no pictures of screens: npm run test:demo takes them",
);
moveInlineParts();
compress();
const loaded = firstLoad(dist, "index.html", base);
const total = loaded.reduce((sum, { bytes }) => sum + bytes, 0);
report(`the first page loads ${total} bytes, compressed, in ${loaded.length} files`);
if (total >= maxBytes) {
  for (const { file, bytes } of loaded) console.error(`${String(bytes).padStart(7)}  ${file}`);
  console.error(`The first page must load less than ${maxBytes} bytes.`);
  process.exitCode = 1;
}
