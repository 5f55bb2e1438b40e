import { accessSync, constants, statSync } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"

const BROWSERS = [
  // Chromium without its windows takes about half the processor time.
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
]

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The path of the first of these programs that is installed, or null. */
export function findProgram(names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean)
  const paths = names.flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))))
  return paths.find(isProgram) ?? null
}

/** A Chromium for the browser tests: CHROMIUM_PATH, or one under its usual names. */
export const findChromium = () => findProgram(process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : BROWSERS)

/** A Redis server for the tests about it: REDIS_SERVER_PATH, or the one on the PATH. */
export const findRedis = () => findProgram([process.env.REDIS_SERVER_PATH || "redis-server"])
