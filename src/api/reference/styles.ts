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

export const REFERENCE_STYLES = `
:root { --scalar-font: system-ui, sans-serif !important; --scalar-font-code: ui-monospace, monospace !important; }
.light-mode { ${variables(LIGHT)} --scalar-sidebar-color-2: #4a4a52 !important; --scalar-sidebar-search-color: #4a4a52 !important; }
.dark-mode { ${variables(DARK)} --scalar-sidebar-color-2: #cfcfd5 !important; --scalar-sidebar-search-color: #cfcfd5 !important; }
body { margin: 0; }
`
