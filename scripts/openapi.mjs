/*
 * npm run openapi               writes docs/openapi.json from the program, with the samples of examples/api
 * node scripts/openapi.mjs --check   part of `npm run lint`: the file is what the program makes, and two validators that
 *                                    know nothing of each other accept it: Redocly's linter without a warning, and the
 *                                    schema of OpenAPI 3.1
 */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { bundle } from "./lib/bundle.mjs"
import { Complaint, main, ROOT, say } from "./lib/console.mjs"
import { ensureInstalled } from "./lib/install.mjs"

const FILE = join(ROOT, "docs/openapi.json")

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

async function formatted(text, file, parser) {
  const { format, resolveConfig } = await import("prettier")
  return await format(text, { ...(await resolveConfig(file)), parser })
}

/** The document as text in the form of the repository. */
async function currentText() {
  const file = bundle(join(ROOT, "src/api/api/v2/openapi.json/document.ts"))
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
  const samples = await samplesText()
  if (!process.argv.includes("--check")) {
    writeFileSync(SAMPLES, samples)
  } else if (!existsSync(SAMPLES) || readFileSync(SAMPLES, "utf8") !== samples) {
    throw new Complaint("src/api/v2-kit/openapi/samples.ts is not what examples/api make: run `npm run openapi`.")
  }
  const text = await currentText()
  if (process.argv.includes("--check")) {
    if (!existsSync(FILE) || readFileSync(FILE, "utf8") !== text) {
      throw new Complaint("docs/openapi.json is not what the program makes: run `npm run openapi`.")
    }
    lint()
    await validate()
    say("docs/openapi.json is up to date; Redocly and the schema of OpenAPI 3.1 accept it")
    return 0
  }
  writeFileSync(FILE, text)
  say(`${Object.keys(JSON.parse(text).paths).length} paths written to docs/openapi.json`)
  return 0
})
