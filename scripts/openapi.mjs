/*
 * npm run openapi               writes docs/openapi.json from the program, with the samples of examples/api
 * node scripts/openapi.mjs --check   part of `npm run lint`: the document is what is made now, and two validators that
 *                                    know nothing of each other accept it: Redocly's linter without a warning, and
 *                                    the schema of OpenAPI 3.1
 */
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { bundleText } from "./lib/bundle.mjs"
import { Complaint, main, ROOT, say } from "./lib/console.mjs"
import { ensureInstalled } from "./lib/install.mjs"

const FILE = join(ROOT, "docs/openapi.json")
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
    const { format, resolveConfig } = await import("prettier")
    return await format(JSON.stringify(document), { ...(await resolveConfig(FILE)), parser: "json" })
  } finally {
    rmSync(dirname(file), { recursive: true, force: true })
  }
}

/** With warnings as errors, and without calls to Redocly's servers. */
function lint() {
  const program = join(ROOT, "node_modules/@redocly/cli/bin/cli.js")
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
  // "/payments/{transaction_id}/capture" also fits "/payments/refund/capture": the fixed part wins, as OpenAPI says.
  const args = [program, "lint", FILE, "--extends=recommended-strict", "--skip-rule=no-ambiguous-paths"]
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
  await ensureInstalled({ withGenerated: false })
  const { generate, generateSamples } = await import("./lib/generated.mjs")
  await generateSamples()
  const text = await currentText()
  if (process.argv.includes("--check")) {
    if (readFileSync(FILE, "utf8") !== text) {
      throw new Complaint("docs/openapi.json is not what is made now: run `npm run openapi`.")
    }
    lint()
    await validate()
    say("docs/openapi.json is up to date; Redocly and the schema of OpenAPI 3.1 accept it")
  } else {
    writeFileSync(FILE, text)
    await generate()
    say(`${Object.keys(JSON.parse(text).paths).length} paths written to docs/openapi.json`)
  }
  return 0
})
