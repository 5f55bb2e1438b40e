import { spawn } from "node:child_process"
import { Complaint } from "../../../scripts/lib/console.mjs"
import { anyFreePort } from "../../../scripts/lib/ports.mjs"
import { findRedis } from "../../../scripts/lib/programs.mjs"

/** Starts a Redis with the persistence that BullMQ recommends: an append-only file, forced to disk every second. */
export async function startRedis(folder) {
  const program = findRedis()
  if (!program) {
    throw new Complaint("BullMQ needs Redis: install redis-server, or set REDIS_SERVER_PATH to one.")
  }
  const port = await anyFreePort()
  const settings = [
    "--save",
    "",
    "--appendonly",
    "yes",
    "--appendfsync",
    "everysec",
    "--maxmemory-policy",
    "noeviction",
  ]
  const child = spawn(program, ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, ...settings], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const ended = new Promise((resolve) => child.once("exit", resolve))
  await new Promise((resolve, reject) => {
    child.once("error", reject)
    ended.then(() => reject(new Complaint("redis-server ended before it was ready")))
    child.stdout.on("data", (chunk) => String(chunk).includes("Ready to accept connections") && resolve())
  })
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
  }
  return { host: "127.0.0.1", port, stop }
}
