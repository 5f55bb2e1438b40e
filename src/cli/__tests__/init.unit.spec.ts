import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as typescript from "typescript"
import { type Edit, addGateway, addVariables, diffOf, isIgnored } from "../init/edit"
import { parseEncryptionKeys } from "../../modules/gateway/kernel/database/encryption-keys"
import { runIt } from "./support"

const edit = (text: string, name = "medusa-config.ts") => addGateway(typescript, name, text)

function changed(result: Edit): string {
  expect(result.state).toBe("changed")
  return (result as { text: string }).text
}

const STARTER = `import { loadEnv, defineConfig } from '@medusajs/framework/utils'

loadEnv(process.env.NODE_ENV || 'development', process.cwd())

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: {
      storeCors: process.env.STORE_CORS!,
      jwtSecret: process.env.JWT_SECRET || "supersecret",
    }
  }
})
`

describe("the configuration of create-medusa-app", () => {
  const text = changed(edit(STARTER))

  it("gets the import in its own style, and the wrapper around what defineConfig has", () => {
    expect(diffOf(STARTER, text)).toEqual([
      "  import { loadEnv, defineConfig } from '@medusajs/framework/utils'",
      "+ import { withPaymentGateway } from 'medusa-payment-gateway/config'",
      "",
      "  loadEnv(process.env.NODE_ENV || 'development', process.cwd())",
      "",
      "- module.exports = defineConfig({",
      "+ module.exports = defineConfig(withPaymentGateway({",
      "    projectConfig: {",
      "      databaseUrl: process.env.DATABASE_URL,",
      "  …",
      "      }",
      "    }",
      "- })",
      "+ }))",
      "",
    ])
  })

  it("doing it again changes nothing", () => expect(edit(text)).toEqual({ state: "present" }))
})

describe("other shapes that are certain", () => {
  it.each([
    [
      "semicolons and double quotes",
      'import { defineConfig } from "@medusajs/framework/utils";\n\nexport default defineConfig({});\n',
      'import { defineConfig } from "@medusajs/framework/utils";\nimport { withPaymentGateway } from "medusa-payment-gateway/config";\n\nexport default defineConfig(withPaymentGateway({}));\n',
    ],
    [
      "CommonJS",
      "const { defineConfig } = require('@medusajs/framework/utils')\nmodule.exports = defineConfig({ a: 1 })\n",
      "const { defineConfig } = require('@medusajs/framework/utils')\nconst { withPaymentGateway } = require('medusa-payment-gateway/config')\nmodule.exports = defineConfig(withPaymentGateway({ a: 1 }))\n",
    ],
    [
      "a configuration in a variable",
      'import { defineConfig } from "@medusajs/framework/utils"\nconst config = { projectConfig: {} }\nmodule.exports = defineConfig(config)\n',
      'import { defineConfig } from "@medusajs/framework/utils"\nimport { withPaymentGateway } from "medusa-payment-gateway/config"\nconst config = { projectConfig: {} }\nmodule.exports = defineConfig(withPaymentGateway(config))\n',
    ],
    [
      "another wrapper",
      'import { defineConfig } from "@medusajs/framework/utils"\nimport { withSentry } from "sentry"\nmodule.exports = defineConfig(withSentry({}))\n',
      'import { defineConfig } from "@medusajs/framework/utils"\nimport { withSentry } from "sentry"\nimport { withPaymentGateway } from "medusa-payment-gateway/config"\nmodule.exports = defineConfig(withPaymentGateway(withSentry({})))\n',
    ],
    [
      "a namespace, exported from a variable, with plugins and modules",
      'import * as utils from "@medusajs/framework/utils"\nconst config = utils.defineConfig({\n  plugins: ["other"],\n  modules: [{ resolve: "./src/modules/brand" }],\n})\nexport default config\n',
      'import * as utils from "@medusajs/framework/utils"\nimport { withPaymentGateway } from "medusa-payment-gateway/config"\nconst config = utils.defineConfig(withPaymentGateway({\n  plugins: ["other"],\n  modules: [{ resolve: "./src/modules/brand" }],\n}))\nexport default config\n',
    ],
    [
      "comments and texts that mention defineConfig({",
      'import { defineConfig } from "@medusajs/framework/utils"\n// defineConfig({ old: true })\nconst note = "defineConfig({"\nmodule.exports = defineConfig({ /* here */ })\n',
      'import { defineConfig } from "@medusajs/framework/utils"\nimport { withPaymentGateway } from "medusa-payment-gateway/config"\n// defineConfig({ old: true })\nconst note = "defineConfig({"\nmodule.exports = defineConfig(withPaymentGateway({ /* here */ }))\n',
    ],
    [
      "Windows' line ends",
      'import { defineConfig } from "@medusajs/framework/utils"\r\nmodule.exports = defineConfig({})\r\n',
      'import { defineConfig } from "@medusajs/framework/utils"\r\nimport { withPaymentGateway } from "medusa-payment-gateway/config"\r\nmodule.exports = defineConfig(withPaymentGateway({}))\r\n',
    ],
  ])("%s", (_name, before, after) => {
    expect(changed(edit(before))).toBe(after)
    expect(edit(after)).toEqual({ state: "present" })
  })

  it("every changed file is still without errors of syntax", () => {
    const { diagnostics } = typescript.transpileModule(changed(edit(STARTER)), { reportDiagnostics: true })
    expect(diagnostics).toEqual([])
  })
})

describe("shapes that are not certain: nothing is changed", () => {
  const IMPORT = 'import { defineConfig } from "@medusajs/framework/utils"\n'

  it.each([
    ["an object without defineConfig", "module.exports = { projectConfig: {} }\n", "no_define_config"],
    ["an empty file", "", "no_define_config"],
    [
      "two calls",
      `${IMPORT}module.exports = process.env.A ? defineConfig({ a: 1 }) : defineConfig({ a: 2 })\n`,
      "several_define_config",
    ],
    ["no argument", `${IMPORT}module.exports = defineConfig()\n`, "other_arguments"],
    ["two arguments", `${IMPORT}module.exports = defineConfig({}, {})\n`, "other_arguments"],
    ["a spread argument", `${IMPORT}module.exports = defineConfig(...all)\n`, "other_arguments"],
    ["an error of syntax", `${IMPORT}module.exports = defineConfig({\n`, "syntax"],
    [
      "a function of the same name",
      `${IMPORT}const withPaymentGateway = (c) => c\nmodule.exports = defineConfig(withPaymentGateway({}))\n`,
      "name_taken",
    ],
  ])("%s", (_name, text, why) => expect(edit(text)).toEqual({ state: "unknown", why }))

  it("a gateway that was put in by hand is there already", () => {
    const byHand = `${IMPORT}module.exports = defineConfig({ plugins: [{ resolve: "medusa-payment-gateway", options: {} }] })\n`
    expect(edit(byHand)).toEqual({ state: "present" })
  })
})

describe("the variables in .env", () => {
  it("adds what is missing, with secrets that are new each time and never shown", () => {
    const one = addVariables("DATABASE_URL=postgres://localhost/store", {})
    const other = addVariables("", {})
    expect(one.added.map(({ name }) => name)).toEqual([
      "GATEWAY_ENCRYPTION_KEYS",
      "GATEWAY_PUBLIC_URL",
      "JWT_SECRET",
      "COOKIE_SECRET",
    ])
    expect(one.text).toMatch(/^DATABASE_URL=postgres:\/\/localhost\/store\nGATEWAY_ENCRYPTION_KEYS=k1:/)
    const keys = (text: string) => /^GATEWAY_ENCRYPTION_KEYS=(.*)$/m.exec(text)?.[1] ?? ""
    expect(parseEncryptionKeys(keys(one.text)).map(({ id }) => id)).toEqual(["k1"])
    expect(keys(one.text)).not.toBe(keys(other.text))
    const shown = one.added.map((line) => line.shown).join(" ")
    expect(
      [...one.text.matchAll(/=(?:k1:)?([A-Za-z0-9+/]{20,}=)$/gm)].filter(([, secret]) => shown.includes(secret))
    ).toEqual([])
    expect(one.added[0].shown).toBe("(a new secret)")
  })

  it("leaves what the file or the process has, an empty value too; a second time adds nothing", () => {
    const first = addVariables("GATEWAY_ENCRYPTION_KEYS=\n", { JWT_SECRET: "mine" })
    expect(first.added.map(({ name }) => name)).toEqual(["GATEWAY_PUBLIC_URL", "COOKIE_SECRET"])
    expect(addVariables(first.text, { JWT_SECRET: "mine" })).toEqual({ text: first.text, added: [] })
  })

  it.each([
    [".env\n", true],
    ["/.env", true],
    ["node_modules\n.env*\n", true],
    ["", false],
    [".env.local", false],
    ["# .env", false],
  ])("a .gitignore with %j: %p", (text, ignored) => expect(isIgnored(text)).toBe(ignored))
})

describe("differences", () => {
  it.each([
    ["nothing", "a\nb", "a\nb", []],
    ["a line added at the end", "a", "a\nb", ["  a", "+ b"]],
    ["a line removed", "a\nb\nc", "a\nc", ["  a", "- b", "  c"]],
    ["everything", "a", "b", ["- a", "+ b"]],
  ])("%s", (_name, before, after, lines) => expect(diffOf(before, after)).toEqual(lines))
})

describe("the command: what it writes, and when", () => {
  // Inside the repository, so that Medusa and TypeScript are found as in a store.
  const parent = join(__dirname, "../../../.test")
  let folder: string
  beforeEach(() => {
    mkdirSync(parent, { recursive: true })
    folder = mkdtempSync(join(parent, "init-"))
    writeFileSync(join(folder, "medusa-config.ts"), STARTER)
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const read = (name: string) => readFileSync(join(folder, name), "utf8")
  const files = () => typescript.sys.readDirectory(folder, undefined, undefined, ["*"]).length

  /** Somebody at a terminal who answers so, question after question. */
  function withAnswers(...answers: string[]) {
    const questions: string[] = []
    const ask = async (question: string) => {
      questions.push(question)
      return answers.shift() ?? ""
    }
    return { questions, ran: runIt("init", {}, { directory: folder, isTerminal: true, ask }) }
  }

  it("shows the difference first, and writes nothing for anything but yes", async () => {
    for (const answer of ["", "n", "no", "yess"]) {
      const { questions, ran } = withAnswers(answer)
      const { code, err } = await ran
      expect([code, questions]).toEqual([1, ["Write medusa-config.ts? [y/N] "]])
      expect(err).toContain("+ module.exports = defineConfig(withPaymentGateway({")
      expect(read("medusa-config.ts")).toBe(STARTER)
    }
    expect(files()).toBe(1)
  })

  it("asks for each file; new secrets are written for the owner alone, and never shown", async () => {
    const { questions, ran } = withAnswers("y", "Yes")
    const { err, out } = await ran
    expect(questions).toEqual(["Write medusa-config.ts? [y/N] ", "Write .env? [y/N] "])
    expect(read("medusa-config.ts")).toContain("defineConfig(withPaymentGateway({")
    expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o600)
    const secrets = [...read(".env").matchAll(/^(?:GATEWAY_ENCRYPTION_KEYS=k1:|JWT_SECRET=|COOKIE_SECRET=)(.+)$/gm)]
    expect(secrets).toHaveLength(3)
    secrets.forEach(([, secret]) => expect(err + out).not.toContain(secret))
    expect(err).toContain(".gitignore does not name it")
    // It ends here, because no database is named.
    expect(err).toContain("DATABASE_URL is not set")
  })

  it("declined after the first file: the error names what has been written", async () => {
    const { err } = await withAnswers("y", "n").ran
    expect(err).toContain("Nothing more was changed. Done before: medusa-config written.")
  })

  it("an existing .env keeps its lines and its mode", async () => {
    writeFileSync(join(folder, ".env"), "MINE=1\nJWT_SECRET=supersecret\n", { mode: 0o640 })
    await withAnswers("y", "y").ran
    expect(read(".env")).toMatch(/^MINE=1\nJWT_SECRET=supersecret\nGATEWAY_ENCRYPTION_KEYS=k1:/)
    expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o640)
  })

  it("--yes asks nothing; without it and without a terminal nothing is written", async () => {
    const refused = await runIt("init --json", {}, { directory: folder })
    expect([refused.code, JSON.parse(refused.out).error.code]).toEqual([2, "CONFIRMATION_NEEDED"])
    expect(read("medusa-config.ts")).toBe(STARTER)
    const { out } = await runIt("init --yes --json", {}, { directory: folder })
    expect(JSON.parse(out).error.code).toBe("DATABASE_URL_UNSET")
    expect(edit(read("medusa-config.ts"))).toEqual({ state: "present" })
  })

  it("refuses a shape that it does not know, says why, and prints what to add", async () => {
    const text = "module.exports = { projectConfig: {} }\n"
    writeFileSync(join(folder, "medusa-config.ts"), text)
    const { code, err } = await runIt("init --yes", {}, { directory: folder })
    expect(code).toBe(1)
    expect(err).toContain("medusa-config.ts was not changed, because it does not call defineConfig.")
    expect(err).toContain('import { withPaymentGateway } from "medusa-payment-gateway/config"')
    expect([read("medusa-config.ts"), files()]).toEqual([text, 1])
  })
})
