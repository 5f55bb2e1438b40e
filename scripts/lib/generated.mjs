/*
 * The sources that are made from other files of the repository: each is ignored by git, and made again when what it is
 * made from has changed.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { basename, dirname, extname, join } from "node:path"
import { ROOT } from "./console.mjs"
import { filesBelow, fingerprint } from "./files.mjs"

const DOCUMENT = "docs/openapi.json"
const SAMPLES = "src/api/v2-kit/openapi/generated/samples.ts"

const readDocument = () => JSON.parse(readFileSync(join(ROOT, DOCUMENT), "utf8"))

/** By path: the files and folders that it is made from, besides this file; and its text. */
const GENERATED = {
  [SAMPLES]: { from: ["examples/api"], text: samplesText },
  "src/api/reference/generated/guides.ts": {
    from: ["docs/guides", DOCUMENT, "scripts/lib/guide-html.mjs"],
    text: guidesText,
  },
  "src/client/generated/schema.ts": {
    from: [DOCUMENT, "scripts/lib/client-source.mjs", "scripts/lib/openapi-document.mjs"],
    text: async () => (await import("./client-source.mjs")).schemaText(readDocument()),
  },
  "src/client/generated/operations.ts": {
    from: [DOCUMENT, "scripts/lib/client-source.mjs", "scripts/lib/openapi-document.mjs"],
    text: async () => (await import("./client-source.mjs")).operationsText(readDocument()),
  },
}

/** Makes what is missing or not up to date. Contents are compared, not dates: a checkout renews dates. */
export async function generate(paths = Object.keys(GENERATED)) {
  for (const path of paths) {
    const { from, text } = GENERATED[path]
    const key = keyOf(from)
    const head = `// Made from ${from[0]} by \`npm run generate\` (${key}). Do not edit.\n`
    const file = join(ROOT, path)
    if (!existsSync(file) || !readFileSync(file, "utf8").startsWith(head)) {
      write(file, head + (await text()))
    }
  }
}

/** What the OpenAPI document itself is made with. */
export const generateSamples = () => generate([SAMPLES])

/** package.json names the versions of the packages that make them. */
function keyOf(from) {
  const files = ["package.json", "scripts/lib/generated.mjs", ...from].map((path) => join(ROOT, path))
  return fingerprint(files.flatMap((path) => (extname(path) ? [path] : filesBelow(path))))
}

/** In one step: several programs may do this at the same time. */
function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  const aside = `${file}.${process.pid}`
  writeFileSync(aside, text)
  renameSync(aside, file)
}

const EXAMPLES = join(ROOT, "examples/api")
const LANGUAGES = [
  { extension: ".sh", lang: "Shell", label: "curl" },
  { extension: ".mjs", lang: "JavaScript", label: "Node" },
  { extension: ".php", lang: "PHP", label: "PHP" },
  { extension: ".py", lang: "Python", label: "Python" },
]

/** The samples as a module, because a built store has no examples: by operationId, in the order of LANGUAGES. */
function samplesText() {
  const samples = {}
  for (const { extension, lang, label } of LANGUAGES) {
    for (const file of readdirSync(EXAMPLES).filter((name) => name.endsWith(extension))) {
      const source = readFileSync(join(EXAMPLES, file), "utf8")
      ;(samples[basename(file, extension)] ??= []).push({ lang, label, source })
    }
  }
  return [
    "type Sample = { lang: string; label: string; source: string }",
    `export const SAMPLES: Readonly<Record<string, readonly Sample[] | undefined>> = ${JSON.stringify(samples, null, 2)}\n`,
  ].join("\n")
}

/** The guides as a module, because a built store has no docs, and reads no Markdown. */
async function guidesText() {
  const { guides } = await import("./guide-html.mjs")
  return [
    "export type Guide = { name: string; title: string; html: string }",
    `export const GUIDES: readonly Guide[] = ${JSON.stringify(await guides(readDocument()), null, 2)}\n`,
  ].join("\n")
}
