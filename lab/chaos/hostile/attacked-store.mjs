import { heapProbe } from "../../../scripts/lib/heap.mjs"
import { adminToken, openStore } from "./store.mjs"
import { openShop } from "./shop.mjs"

/** Shorter than the defaults, so that bodies that never end, on any path, and answers that nobody reads are over soon. */
const TIME_LIMITS = { GATEWAY_BODY_TIMEOUT: "5", GATEWAY_REQUEST_TIMEOUT: "15", GATEWAY_ANSWER_TIMEOUT: "10" }

/** A store that is attacked: in production mode, strict about URLs, without rate limits, its heap can be read. */
export async function openAttackedStore(server, options = {}) {
  const heap = heapProbe()
  const { env = {}, ...rest } = options
  const opened = await openStore(server, {
    ...rest,
    env: { ...heap.env, ...TIME_LIMITS, ...env },
  })
  const token = adminToken(["role_super_admin"])
  const close = async () => {
    await opened.close()
    heap.remove()
  }
  try {
    const shop = await openShop(opened.store.url, token)
    return { ...opened, server, heap, token, shop, close }
  } catch (error) {
    await close()
    throw error
  }
}
