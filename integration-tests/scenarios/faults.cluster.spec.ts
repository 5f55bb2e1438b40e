import { execFile } from "node:child_process"
import { resolve } from "node:path"

const ROOT = resolve(__dirname, "../..")
const MINUTES = 60_000
/** Without what this run of tests has set for its own processes. */
const WITHOUT_JEST = { ...process.env, NODE_ENV: undefined, NODE_OPTIONS: undefined, LOG_LEVEL: undefined }

/** What `npm run chaos -- cluster` does for a quarter of an hour, for a minute. */
describe("docs/decisions/30: a deployment of several processes", () => {
  it(
    "loses and doubles nothing while its processes are killed, and while it fails over to the replica",
    async () => {
      const program = ["lab/chaos.mjs", "cluster", "--minutes", "1", "--plan", "short", "--clients", "2"]
      const { failed, output } = await new Promise<{ failed: boolean; output: string }>((done) =>
        execFile(process.execPath, program, { cwd: ROOT, env: WITHOUT_JEST }, (error, stdout, stderr) =>
          done({ failed: error !== null, output: stdout + stderr })
        )
      )
      expect(failed ? output : "").toBe("")
      expect(output).toMatch(/\bnow: a failover to the replica\b/)
      expect(output).toMatch(/^.*\b0 acknowledged payments that are not paid\b/m)
    },
    8 * MINUTES
  )
})
