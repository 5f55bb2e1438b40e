import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { load } from "./load.cjs"

/** As TypeScript compiles them. */
const FILES: Record<string, string> = {
  "api/middlewares.js": `"use strict";
const counter_1 = require("../kit/counter");
exports.seen = counter_1.next();
`,
  "api/a/[id]/route.js": `"use strict";
exports.POST = exports.GET = void 0;
const counter_1 = require("../../../kit/counter");
const own_1 = require("./own");
exports.GET = () => [own_1.own, counter_1.next(), counter_1 instanceof Object];
exports.POST = (...given) => given;
`,
  "api/a/[id]/own.js": `"use strict";
exports.own = "own";
`,
  "kit/counter.js": `"use strict";
exports.words = exports.where = exports.Fault = void 0;
exports.next = next;
const bangla_1 = require("../i18n/bn");
let count = 0;
function next() {
    return ++count;
}
class Fault extends Error {
}
exports.Fault = Fault;
exports.where = [__dirname, __filename];
exports.words = () => bangla_1.words(require("./late"));
const digits_1 = require("./digits");
exports.digits = digits_1.digits;
`,
  "kit/digits.js": `"use strict";
/** ০ to ৯ */
exports.digits = (text) => [/^[০-৯]+$/.test(text), \`\${text} 😀…\`];
`,
  "kit/late.js": `"use strict";
exports.late = "late";
//# sourceMappingURL=data:application/json;base64,e30=`,
  "i18n/bn.js": `"use strict";
const counter_1 = require("../kit/counter");
exports.words = ({ late }) => [String.raw\`বাংলা\`, late, new counter_1.Fault() instanceof counter_1.Fault];
`,
  "modules/gateway/index.js": `"use strict";
const service_1 = require("./service");
exports.default = service_1.default;
`,
  "modules/gateway/service.js": `"use strict";
const plan_1 = require("./models/plan");
exports.default = plan_1.plan;
`,
  "modules/gateway/models/plan.js": `"use strict";
exports.plan = require("./price").price;
`,
  "modules/gateway/models/price.js": `"use strict";
exports.price = 1;
`,
  "modules/gateway/models/price.d.ts": "",
  "modules/gateway/models/refund.js": "",
  "modules/gateway/models/refund.d.ts": "",
}

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gateway-lean-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function build(files: Record<string, string>): Promise<void> {
  for (const [path, code] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), code)
  }
  const { leanBuild } = await load<{ leanBuild(folder: string): void }>(join(__dirname, "../lib/lean-build.mjs"))
  leanBuild(folder)
}

/** What an ES module prints that runs in the built folder. */
function printed(code: string): unknown {
  const program = join(folder, "program.mjs")
  writeFileSync(program, `${code}\n`)
  return JSON.parse(execFileSync(process.execPath, [program], { encoding: "utf8" }))
}

describe("a build that loads little at the start of a store", () => {
  beforeEach(() => build(FILES))

  it("puts what a start loads into one file, without what is for later or found by Medusa", () => {
    const bundle = readFileSync(join(folder, "loaded-at-start.js"), "utf8")
    const names = [...bundle.matchAll(/^"(.+)"\(exports/gm)].map(([, name]) => name)
    expect(names.sort()).toEqual(["kit/counter", "kit/digits", "modules/gateway/service"])
    expect(bundle).toMatch(/^\p{ASCII}*$/u)
  })

  it("runs each file once, whether a bundled file, another file, a route or a host imports it", () => {
    const code = `
      import { createRequire } from "node:module"
      import { next, Fault, words } from "./kit/counter.js"
      const require = createRequire(import.meta.url)
      const { seen } = require("./api/middlewares.js")
      const { GET } = require("./api/a/[id]/route.js")
      console.log(JSON.stringify([seen, GET(), next(), words(), Fault === require("./kit/counter").Fault]))`
    expect(printed(code)).toEqual([1, ["own", 2, true], 3, ["বাংলা", "late", true], true])
  })

  it("loads a route's code with its first request, and passes on what the route is given", () => {
    const code = `
      import { createRequire } from "node:module"
      const require = createRequire(import.meta.url)
      const route = require("./api/a/[id]/route.js")
      const loaded = () => Object.keys(require.cache).some((path) => path.endsWith("own.js"))
      const before = loaded()
      console.log(JSON.stringify([Object.keys(route), before, route.POST(1, 2, 3), loaded()]))`
    expect(printed(code)).toEqual([["POST", "GET"], false, [1, 2, 3], true])
  })

  it("keeps texts and patterns that are not ASCII", () => {
    const code = `import { digits } from "./kit/counter.js"\nconsole.log(JSON.stringify([digits("১২"), digits("12")]))`
    expect(printed(code)).toEqual([
      [true, "১২ 😀…"],
      [false, "12 😀…"],
    ])
  })

  it("leaves no source map", () => {
    expect(readFileSync(join(folder, "kit/late.js"), "utf8")).toBe('"use strict";\nexports.late = "late";\n')
  })

  it("gives each bundled file its own place", () => {
    const code = `import { where } from "./kit/counter.js"\nconsole.log(JSON.stringify(where))`
    expect(printed(code)).toEqual([join(folder, "kit"), join(folder, "kit/counter.js")])
  })

  it("leaves the models that the service names, and those that they name", () => {
    expect(readdirSync(join(folder, "modules/gateway/models")).sort()).toEqual(["plan.js", "price.d.ts", "price.js"])
    expect(printed(`import plan from "./modules/gateway/index.js"\nconsole.log(plan.default)`)).toBe(1)
  })
})

it("a build refuses a route that exports anything but handlers", async () => {
  const route = "exports.GET = () => 1;\nexports.CORS = false;\n"
  await expect(build({ ...FILES, "api/a/[id]/route.js": route })).rejects.toThrow(/GET, CORS/)
  expect(existsSync(join(folder, "api/a/[id]/handlers.js"))).toBe(false)
})
