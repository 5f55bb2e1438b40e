import { startTestServer } from "../../scripts/lib/test-server.mjs"

/** Gives every run of integration tests a database server, unless `npm test` has started one for several runs. */
export default async function setup() {
  if (process.env.TEST_ADMIN_URL) {
    return
  }
  const { env } = await startTestServer()
  // The server ends with this process, and the workers inherit these.
  Object.assign(process.env, env)
}
