/**
 * The renderer's colours with a contrast of 4.5 or more (WCAG 2.2, 1.4.3), which its own theme lacks, and the reader's
 * own fonts. `!important`: the renderer adds its styles later.
 */
const LIGHT = {
  "color-1": "#1b1b1f",
  "color-2": "#4a4a52",
  "color-3": "#55555c",
  "color-ghost": "#55555c",
  "color-accent": "#0b5cab",
  "background-1": "#ffffff",
  "background-2": "#f7f7f8",
  "background-3": "#eeeef0",
  "background-accent": "#e8f0f8",
  "border-color": "#d9d9de",
  "color-green": "#00582f",
  "color-red": "#a50e27",
  "color-yellow": "#664800",
  "color-blue": "#0b5394",
  "color-orange": "#8a3800",
  "color-purple": "#5330a8",
}
const DARK = {
  "color-1": "#f4f4f5",
  "color-2": "#cfcfd5",
  "color-3": "#bcbcc3",
  "color-ghost": "#bcbcc3",
  "color-accent": "#8ec1f7",
  "background-1": "#131316",
  "background-2": "#1b1b1f",
  "background-3": "#26262b",
  "background-accent": "#1d2a38",
  "border-color": "#3a3a41",
  "color-green": "#6ddba8",
  "color-red": "#ff9aa5",
  "color-yellow": "#f1cf6a",
  "color-blue": "#8ec1f7",
  "color-orange": "#ffb98a",
  "color-purple": "#cabaff",
}

const variables = (colors: Readonly<Record<string, string>>) =>
  Object.entries(colors)
    .map(([name, color]) => `--scalar-${name}: ${color} !important;`)
    .join(" ")

const plain = (colors: Readonly<Record<string, string>>) =>
  Object.entries(colors)
    .map(([name, color]) => `--${name}: ${color};`)
    .join(" ")

/** The guides have the same colours, by the reader's own setting: they have no script that could switch. */
export const GUIDE_STYLES = `
:root { color-scheme: light dark; ${plain(LIGHT)} }
@media (prefers-color-scheme: dark) { :root { ${plain(DARK)} } }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; color: var(--color-1); background: var(--background-1); }
a { color: var(--color-accent); }
nav { padding: 1rem; background: var(--background-2); border-bottom: 1px solid var(--border-color); }
nav p, nav ul { margin: 0; padding: 0; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0 1rem; }
nav a { display: inline-block; padding: 0.25rem 0; }
nav a[aria-current] { color: var(--color-1); font-weight: 600; }
main { max-width: 50rem; padding: 1rem; margin: 0 auto; overflow-wrap: break-word; }
h1 { line-height: 1.2; }
h2 { margin: 2rem 0 0.5rem; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; overflow-wrap: anywhere; }
:not(pre) > code { padding: 0.1em 0.3em; background: var(--background-3); border-radius: 0.25rem; }
pre { padding: 1rem; overflow-x: auto; background: var(--background-2); border: 1px solid var(--border-color); border-radius: 0.5rem; }
pre code { overflow-wrap: normal; }
pre.output { border-style: dashed; }
pre.output::before { content: "Output"; display: block; font: 0.8rem system-ui, sans-serif; color: var(--color-2); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.5rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--border-color); }
tr:target { background: var(--background-accent); outline: 2px solid var(--color-accent); }
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  tr { padding: 0.5rem 0; border-bottom: 1px solid var(--border-color); }
  td { padding: 0.15rem 0; border: 0; }
}
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 16rem 1fr; min-height: 100vh; }
  nav { border-bottom: 0; border-right: 1px solid var(--border-color); }
  nav ul { display: block; }
}
`

export const REFERENCE_STYLES = `
:root { --scalar-font: system-ui, sans-serif !important; --scalar-font-code: ui-monospace, monospace !important; }
.light-mode { ${variables(LIGHT)} --scalar-sidebar-color-2: #4a4a52 !important; --scalar-sidebar-search-color: #4a4a52 !important; }
.dark-mode { ${variables(DARK)} --scalar-sidebar-color-2: #cfcfd5 !important; --scalar-sidebar-search-color: #cfcfd5 !important; }
body { margin: 0; }
`
