import { setTimeout as sleep } from "node:timers/promises"

const MOST_TRIES = 5

/**
 * A request that answers what came, whatever its status; for the parts that need no odd bytes. On a connection of its
 * own: the store closes one that was idle for five seconds, and a busy program may send on it at that very moment.
 */
export async function ask(url, method, path, { headers = {}, json, body } = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { connection: "close", ...(json === undefined ? {} : { "content-type": "application/json" }), ...headers },
    body: json === undefined ? body : JSON.stringify(json),
    redirect: "manual",
  })
  const text = await response.text()
  let parsed = {}
  try {
    parsed = JSON.parse(text)
  } catch {
    // Pages and files are no JSON: they have their text alone.
  }
  return { status: response.status, headers: response.headers, text, body: parsed }
}

/**
 * The same, for what has to succeed before a part can begin. One that comes too early for a rate limit is sent again
 * when Retry-After says so, as an honest client would; nothing else is tried again.
 */
export async function must(url, method, path, options) {
  let answer = await ask(url, method, path, options)
  for (let tries = 1; answer.status === 429 && tries < MOST_TRIES; tries += 1) {
    await sleep(Number(answer.headers.get("retry-after")) * 1_000)
    answer = await ask(url, method, path, options)
  }
  if (answer.status >= 300) {
    throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 500)}`)
  }
  return answer.body
}

export const bearer = (token) => ({ authorization: `Bearer ${token}` })
export const merchantKey = (key) => ({ "x-merchant-api-key": key })
