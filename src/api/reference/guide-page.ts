import type { ReferenceFile } from "./files"
import type { Guide } from "./generated/guides"

/** Text and one style sheet of this store. */
export const GUIDE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ")

const link = ({ name, title }: Guide, current: Guide) =>
  `<li><a href="/api/v2/docs/guides/${name}"${name === current.name ? ' aria-current="page"' : ""}>${title}</a></li>`

/** A guide beside the list of all of them. HTML and title are made from docs/guides, and safe to show. */
export function guidePage(guide: Guide, all: readonly Guide[], styles: ReferenceFile): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${guide.title} – Payment gateway</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${styles.url}">
</head>
<body>
<nav aria-label="Guides">
<p><a href="/api/v2/docs">API reference</a></p>
<ul>
${all.map((one) => link(one, guide)).join("\n")}
</ul>
</nav>
<main>
<h1>${guide.title}</h1>
${guide.html}
</main>
</body>
</html>
`
}
