/*
 * npm run client                  writes what is made from docs/openapi.json: the types and operations of src/client
 * node scripts/client.mjs --check part of `npm run lint`: these files are what the document makes
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Complaint, main, ROOT, say } from "./lib/console.mjs"
import { ensureInstalled } from "./lib/install.mjs"

const DOCUMENT = "docs/openapi.json"

/** In the form of the repository. */
async function formatted(path, text) {
  const { format, resolveConfig } = await import("prettier")
  return await format(text, { ...(await resolveConfig(join(ROOT, path))), filepath: path })
}

/** Each made file's path and its text. */
async function makeFiles() {
  const { operationsText, schemaText } = await import("./lib/client-source.mjs")
  const document = JSON.parse(readFileSync(join(ROOT, DOCUMENT), "utf8"))
  return {
    "src/client/generated/schema.ts": await schemaText(document),
    "src/client/generated/operations.ts": await formatted("operations.ts", operationsText(document)),
  }
}

await main(async () => {
  await ensureInstalled()
  const files = await makeFiles()
  const stale = Object.keys(files).filter((path) => {
    const file = join(ROOT, path)
    return !existsSync(file) || readFileSync(file, "utf8") !== files[path]
  })
  if (process.argv.includes("--check")) {
    if (stale.length) {
      throw new Complaint(`Not what ${DOCUMENT} makes: ${stale.join(", ")}. Run \`npm run client\`.`)
    }
    say("the client's types and operations are up to date")
    return 0
  }
  for (const path of stale) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), files[path])
    say(`${path} written`)
  }
  return 0
})
