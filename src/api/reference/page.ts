import type { ReferenceFiles } from "./files"

/**
 * Scripts, requests and images of this store alone. Inline styles are allowed because the renderer adds its own as
 * `style` elements; a style can load nothing from elsewhere either.
 */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ")

/** `base`: where the requests that a reader tries go; always a sandbox, because a key of production has no place here. */
export function referencePage({ renderer, start, styles }: ReferenceFiles, base: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${styles.url}">
</head>
<body>
<div id="reference" data-base="${base}" data-server="Sandbox"></div>
<noscript><p>This page needs JavaScript. The same as a file: <a href="${base}/openapi.json">openapi.json</a></p></noscript>
<script src="${renderer.url}"></script>
<script src="${start.url}"></script>
</body>
</html>
`
}
