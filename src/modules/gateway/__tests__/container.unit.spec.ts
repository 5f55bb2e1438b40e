import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { registerServices } from "../container"

const MODULE = resolve(__dirname, "..")

/** Every service class of the module, by the name that other services ask for in their constructors. */
function declared(): string[] {
  const files = readdirSync(MODULE, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.includes("__tests__")
  )
  return files
    .flatMap((file) => [...readFileSync(join(MODULE, file), "utf8").matchAll(/^export class (\w+Service)\b/gm)])
    .map(([, name]) => name[0].toLowerCase() + name.slice(1))
}

it("every service class is registered: awilix would say what is missing only when somebody asks for it", () => {
  const registered: string[] = []
  registerServices({ register: ((name: string) => void registered.push(name)) as never })
  expect(declared().length).toBeGreaterThan(60)
  expect(registered.sort()).toEqual(declared().sort())
})
