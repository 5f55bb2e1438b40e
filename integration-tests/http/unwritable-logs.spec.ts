import { resolve } from "node:path"
import { newMerchant, type ApiMerchant } from "../support/api"
import { importModule } from "../support/import-module.cjs"
import type { ServerProcess } from "../support/server-process"
import { ROOT, useStore } from "../support/store"
import { until } from "../support/until"

/** Every write to it fails with ENOSPC, as on a full disk. */
const FULL_DISK = "/dev/full"
const REQUESTS = 200
const BOOT_TIMEOUT_MS = 300_000

let merchant: ApiMerchant
let processorMs: (pid: number) => number

const store = useStore({
  production: true,
  prepare: async (booted) => {
    merchant = await newMerchant(booted)
  },
})

beforeAll(async () => {
  const state = await importModule<{ processorMs: typeof processorMs }>(resolve(ROOT, "scripts/lib/process-state.mjs"))
  processorMs = state.processorMs
})

/** It answers request after request, each of which would be a line, and then has nothing to do. */
async function expectUnharmed(server: ServerProcess): Promise<void> {
  for (let left = REQUESTS; left > 0; left -= 1) {
    const answer = await fetch(`${server.url}/api/v2/payments`, { headers: { "X-Merchant-API-Key": merchant.key } })
    expect([answer.status, (await answer.json()).success]).toEqual([200, true])
  }
  let before = { at: performance.now(), used: processorMs(server.pid) }
  await until("the process rests", () => {
    const now = { at: performance.now(), used: processorMs(server.pid) }
    if (now.at - before.at < 500) {
      return false
    }
    const share = (now.used - before.used) / (now.at - before.at)
    before = now
    return share < 0.5
  })
  expect(server.isRunning()).toBe(true)
}

describe("decision 24: the log is not essential", () => {
  it(
    "a store starts, answers and rests while the disk of its log is full, and ends when it is asked to",
    async () => {
      const server = await store.startServerProcess({ log: FULL_DISK })
      await expectUnharmed(server)
      await server.kill()
      expect(await server.ended).toEqual({ code: 0, signal: null })
    },
    BOOT_TIMEOUT_MS
  )

  it(
    "a store whose log has no reader any more goes on",
    async () => {
      const server = await store.startServerProcess()
      server.leave()
      await expectUnharmed(server)
    },
    BOOT_TIMEOUT_MS
  )
})
