import { readFileSync } from "node:fs"
import Module, { createRequire } from "node:module"
import { transformSync } from "esbuild"

const require = createRequire(import.meta.url)
/** What a loaded file answers the values of its own top-level names by. */
const SCOPE = Symbol.for("row-types: scope")

/** Lets this process load the project's TypeScript, each file with a look into its top-level scope. */
function loadTypeScript() {
  Module._extensions[".ts"] ??= (module, filename) => {
    const { code } = transformSync(readFileSync(filename, "utf8"), {
      loader: "ts",
      format: "cjs",
      target: "node20",
      tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    })
    const scope = `\nmodule.exports[Symbol.for(${JSON.stringify(Symbol.keyFor(SCOPE))})] = (name) => eval(name);`
    module._compile(code + scope, filename)
  }
}

/** The value of a top-level name of a file, exported or not, as the program itself has it. */
export function topLevelValue(file, name) {
  loadTypeScript()
  return require(file)[SCOPE](name)
}
