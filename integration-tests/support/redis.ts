import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { freePort } from "./ports"

export interface RedisServer {
  url: string
  /** Stops the server; every connection to it breaks. */
  stop(): Promise<void>
}

/**
 * Starts a Redis server on a free loopback port that keeps nothing on disk. Only for files named `*.redis.spec.ts`:
 * they are left out where no redis-server is installed.
 */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort()
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no"]
  const child = spawn(process.env.REDIS_SERVER_PATH || "redis-server", args, { stdio: ["ignore", "pipe", "inherit"] })
  const ended = new Promise<void>((done) => child.once("exit", () => done()))
  const leave = () => child.kill("SIGKILL")
  process.once("exit", leave)
  void ended.then(() => process.removeListener("exit", leave))
  await new Promise<void>((ready, reject) => {
    child.once("error", reject)
    void ended.then(() => reject(new Error("redis-server ended before it was ready")))
    createInterface({ input: child.stdout }).on(
      "line",
      (line) => line.includes("Ready to accept connections") && ready()
    )
  })
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
  }
  return { url: `redis://127.0.0.1:${port}`, stop }
}
