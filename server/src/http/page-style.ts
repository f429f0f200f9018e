/** The wizard's design tokens that a server page uses, for light and for dark; a test compares them with tokens.css. */
export const pageTokens = {
  canvas: ["#f7f8f9", "#0d1013"],
  surface: ["#ffffff", "#15191d"],
  line: ["#e1e4e8", "#283037"],
  control: ["#7f8892", "#75808b"],
  ink: ["#14181d", "#eceff2"],
  "ink-2": ["#474f58", "#b7c0c9"],
  "ink-3": ["#5d6670", "#98a3ae"],
  focus: ["#14181d", "#ffffff"],
  idle: ["#4d5660", "#b3bcc5"],
  "idle-tint": ["#eef0f2", "#21272d"],
  warn: ["#7d4b00", "#edbd62"],
  "warn-tint": ["#fdf4df", "#2b2210"],
} as const;

const tokens = (scheme: 0 | 1) =>
  Object.entries(pageTokens)
    .map(([name, values]) => `--${name}:${values[scheme]}`)
    .join(";");

/** The style of every page that the server renders itself; the brand's colors come from the partner's theme. */
export const pageStyle = `*{box-sizing:border-box}
:root{color-scheme:light dark;${tokens(0)}}
@media (prefers-color-scheme:dark){:root{${tokens(1)}}}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:color-mix(in oklab,var(--brand) 2.5%,var(--canvas));color:var(--ink);font:400 1rem/1.5 Inter,ui-sans-serif,system-ui,sans-serif;overflow-wrap:break-word}
a{color:var(--brand);text-underline-offset:3px}a:hover{color:var(--brand-strong)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:6px}
header,footer{border:0 solid var(--line)}header{background:var(--surface);border-bottom-width:1px}footer{border-top-width:1px;font-size:.8125rem;color:var(--ink-3)}
header>div,footer>div{max-width:1168px;margin:0 auto;padding:12px 24px;min-height:56px;display:flex;gap:4px 16px;align-items:center;justify-content:space-between;flex-wrap:wrap}
header b{display:flex;gap:10px;align-items:center;font-weight:600}header i{display:grid;place-items:center;width:30px;height:30px;border-radius:8px;background:var(--brand);color:var(--on-brand);font-style:normal}
header a,footer a{display:inline-block;padding:10px 0}footer a{color:inherit}header nav{display:flex;flex-wrap:wrap;gap:0 20px}
main{flex:1;width:100%;max-width:688px;margin:0 auto;padding:56px 24px}
h1{font-size:1.875rem;font-weight:600;line-height:1.2;letter-spacing:-.024em;text-wrap:balance;margin:0}
h2{font-size:1.125rem;font-weight:600;line-height:1.35;margin:0 0 8px}
p{margin:10px 0 0;color:var(--ink-2);text-wrap:pretty}.lead{font-size:1.0625rem}
.top{text-align:center;text-wrap:balance}.top p{font-size:1.0625rem}
.top span{display:grid;place-items:center;width:64px;height:64px;border-radius:18px;margin:0 auto 20px;background:var(--idle-tint);color:var(--idle)}.top.warn span{background:var(--warn-tint);color:var(--warn)}
svg{width:30px;height:30px;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round}
section{margin-top:24px;padding:24px;background:var(--surface);border:1px solid var(--line);border-radius:14px}
.top+section{margin-top:32px}section h2 small{display:block;font-size:.8125rem;font-weight:400;color:var(--ink-3)}
ul{margin:0;padding-left:20px;color:var(--ink-2)}li{padding:4px 0}code{font-family:"JetBrains Mono",ui-monospace,Menlo,Consolas,monospace;font-size:.92em}
.links{list-style:none;margin-top:32px;padding:0;display:grid;gap:12px;grid-template-columns:repeat(auto-fit,minmax(min(100%,280px),1fr))}
.links li{padding:16px 20px;background:var(--surface);border:1px solid var(--line);border-radius:14px}.links a{display:inline-block;padding:2px 0;font-weight:600}.links p{margin:2px 0 0;font-size:.875rem}
.doors{display:flex;gap:12px;justify-content:center;flex-wrap:wrap;margin-top:32px}
.doors a,button{display:inline-flex;align-items:center;min-height:44px;padding:9px 18px;border-radius:8px;border:1px solid var(--control);font:600 1rem/1.5 inherit;font-family:inherit;text-decoration:none;background:var(--surface);color:var(--ink);cursor:pointer}
.doors a.first,button{background:var(--brand);color:var(--on-brand);border-color:transparent}.doors a.first:hover,button:hover{background:var(--brand-strong)}
form{margin-top:24px}`;
