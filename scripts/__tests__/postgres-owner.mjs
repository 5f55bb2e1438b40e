// Holds a PostgreSQL server for the test about owners that die: prints its address, then waits to be killed.
import { basename } from "node:path"
import { startPostgres } from "../lib/postgres.mjs"

const { url, where } = await startPostgres({
  home: process.argv[2],
  name: basename(process.argv[2]),
  throwaway: process.argv[3] === "throwaway",
})
process.stdout.write(`${JSON.stringify({ url: url("postgres"), where })}\n`)
setInterval(() => {}, 60_000)
