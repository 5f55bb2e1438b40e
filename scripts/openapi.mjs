/*
 * npm run openapi               writes docs/openapi.json from the program, with the samples of examples/api, and the
 *                               guides of docs/guides as pages of the reference
 * node scripts/openapi.mjs --check   part of `npm run lint`: the files are what is made now, and two validators that
 *                                    know nothing of each other accept the document: Redocly's linter without a
 *                                    warning, and the schema of OpenAPI 3.1
 */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join, relative } from "node:path"
import { bundleText } from "./lib/bundle.mjs"
import { Complaint, main, ROOT, say } from "./lib/console.mjs"
import { ensureInstalled } from "./lib/install.mjs"

const FILE = join(ROOT, "docs/openapi.json")
const GUIDES = join(ROOT, "src/api/reference/guides.ts")

const EXAMPLES = join(ROOT, "examples/api")
const SAMPLES = join(ROOT, "src/api/v2-kit/openapi/samples.ts")
const LANGUAGES = [
  { extension: ".sh", lang: "Shell", label: "curl" },
  { extension: ".mjs", lang: "JavaScript", label: "Node" },
  { extension: ".php", lang: "PHP", label: "PHP" },
  { extension: ".py", lang: "Python", label: "Python" },
]

/** The samples as a module, because a built store has no examples: by operation, in the order of LANGUAGES. */
async function samplesText() {
  const samples = {}
  for (const { extension, lang, label } of LANGUAGES) {
    for (const file of readdirSync(EXAMPLES).filter((name) => name.endsWith(extension))) {
      const source = readFileSync(join(EXAMPLES, file), "utf8")
      ;(samples[basename(file, extension)] ??= []).push({ lang, label, source })
    }
  }
  const text = [
    "/** Made by `npm run openapi` from examples/api, by operationId. Do not edit. */",
    "type Sample = { lang: string; label: string; source: string }",
    `export const SAMPLES: Readonly<Record<string, readonly Sample[] | undefined>> = ${JSON.stringify(samples)}`,
  ].join("\n")
  return await formatted(text, SAMPLES, "typescript")
}

/** The guides as a module, because a built store has no docs, and reads no Markdown. */
async function guidesText(document) {
  const { guides } = await import("./lib/guide-html.mjs")
  const text = [
    "/** Made by `npm run openapi` from docs/guides. Do not edit. */",
    "export type Guide = { name: string; title: string; html: string }",
    `export const GUIDES: readonly Guide[] = ${JSON.stringify(await guides(document))}`,
  ].join("\n")
  return await formatted(text, GUIDES, "typescript")
}

/** Writes a file, or complains that it is not what is made now. */
function keep(file, text, isCheck) {
  if (!isCheck) {
    writeFileSync(file, text)
  } else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    throw new Complaint(`${relative(ROOT, file)} is not what is made now: run \`npm run openapi\`.`)
  }
}

async function formatted(text, file, parser) {
  const { format, resolveConfig } = await import("prettier")
  return await format(text, { ...(await resolveConfig(file)), parser })
}

/** A program that imports every route file: a bundle has no files to look for at run time. */
function documentProgram() {
  const folder = join(ROOT, "src/api/api/v2")
  const files = readdirSync(folder, { recursive: true }).filter((name) => basename(name) === "route.ts")
  const list = files.map((name, index) => `...routesIn(pathOf("${dirname(name)}"), file${index}),`)
  return [
    ...files.map((name, index) => `import * as file${index} from "./src/api/api/v2/${name}"`),
    'import { document as documentOf } from "./src/api/api/v2/openapi.json/document"',
    'import { pathOf } from "./src/api/route-files"',
    'import { routesIn } from "./src/api/v2-kit/routes"',
    `export const document = () => documentOf([${list.join("\n")}])`,
  ].join("\n")
}

/** The document as text in the form of the repository. */
async function currentText() {
  const file = bundleText("document", documentProgram())
  try {
    const document = await createRequire(file)(file).document()
    return await formatted(JSON.stringify(document), FILE, "json")
  } finally {
    rmSync(dirname(file), { recursive: true, force: true })
  }
}

/** With warnings as errors, and without calls to Redocly's servers. */
function lint() {
  const program = join(ROOT, "node_modules/@redocly/cli/bin/cli.js")
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
  const args = [program, "lint", FILE, "--extends=recommended-strict"]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: "utf8" })
  if (status !== 0) {
    throw new Complaint(`Redocly's linter complains about docs/openapi.json:\n${stdout}\n${stderr}`)
  }
}

async function validate() {
  const { Validator } = await import("@seriousme/openapi-schema-validator")
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(readFileSync(FILE, "utf8")))
  if (!valid || validator.version !== "3.1") {
    throw new Complaint(`docs/openapi.json is not OpenAPI 3.1:\n${JSON.stringify(errors, null, 2)}`)
  }
}

await main(async () => {
  await ensureInstalled()
  const isCheck = process.argv.includes("--check")
  // First, because the document contains the samples.
  keep(SAMPLES, await samplesText(), isCheck)
  const text = await currentText()
  keep(FILE, text, isCheck)
  const document = JSON.parse(text)
  keep(GUIDES, await guidesText(document), isCheck)
  if (isCheck) {
    lint()
    await validate()
    say("docs/openapi.json is up to date; Redocly and the schema of OpenAPI 3.1 accept it")
  } else {
    say(`${Object.keys(document.paths).length} paths written to docs/openapi.json`)
  }
  return 0
})
