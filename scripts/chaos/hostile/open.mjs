import { randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { HEAP_REPORT } from "./memory.mjs"
import { adminToken, openPlace } from "./place.mjs"
import { openShop } from "./shop.mjs"

/** A store that is attacked: in production mode, strict about URLs, without rate limits, its heap can be read. */
export async function openBattery(server, options = {}) {
  const heapFile = join(tmpdir(), `gateway-heap-${randomBytes(6).toString("hex")}.json`)
  const { env = {}, ...rest } = options
  const place = await openPlace(server, {
    ...rest,
    env: { NODE_OPTIONS: `--require ${HEAP_REPORT}`, HEAP_REPORT_FILE: heapFile, ...env },
  })
  const token = adminToken(["role_super_admin"])
  const close = async () => {
    await place.close()
    rmSync(heapFile, { force: true })
  }
  try {
    const shop = await openShop(place.store.url, token, { providers: ["pp_gateway_default"] })
    return { ...place, server, heapFile, token, shop, close }
  } catch (error) {
    await close()
    throw error
  }
}
