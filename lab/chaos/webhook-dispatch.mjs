/*
 * npm run chaos                            500 times kill -9 while webhooks are being delivered
 * npm run chaos -- --kills 40 --each 1000  fewer, with about so many deliveries between two kills
 *
 * Delivers to a receiver on this machine, kills the delivery worker at random points, starts it again, and at the end
 * counts: nothing may be lost, at most 1 % repeated, and every repetition must be the same event word for word.
 */
import { createHash, randomBytes } from "node:crypto"
import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { Complaint, say } from "../../scripts/lib/console.mjs"
import { buildDispatcher, startDispatcher } from "../../scripts/lib/dispatchers.mjs"
import { readSecretBox } from "../../scripts/lib/secret-box.mjs"
import { chaos, LONGEST_SILENCE_MS } from "./run.mjs"

const MOST_REPEATED = 0.01

const MERCHANT = `
  WITH merchant AS (INSERT INTO gateway_merchant (id, name) VALUES ('mer_chaos', 'Chaos')),
  environment AS (
    INSERT INTO gateway_merchant_environment (id, merchant_id, environment, services, ip_allow_list)
    VALUES ('menv_chaos', 'mer_chaos', 'sandbox', '{}', '{}'))
  INSERT INTO gateway_webhook_endpoint (id, uuid, merchant_id, environment, endpoint_url, event_types, secret)
  VALUES ('gwe_chaos', gen_random_uuid()::text, 'mer_chaos', 'sandbox', $1, '{*}', $2)`

const EVENTS = `
  WITH events AS (
    INSERT INTO gateway_event (id, event_id, merchant_id, environment, event_type, resource_id, data, occurred_at)
    SELECT 'gev_' || gen_random_uuid(), gen_random_uuid()::text, 'mer_chaos', 'sandbox', 'payment.succeeded', 'txn' || number,
           jsonb_build_object('number', number), now()
    FROM generate_series(1, $1::int) AS number RETURNING event_id, event_type),
  deliveries AS (
    INSERT INTO gateway_webhook_delivery (id, merchant_id, environment, event_id, event_type, occurred_at, endpoint_id, receiver_key, next_attempt_at)
    SELECT 'gwd_' || gen_random_uuid(), 'mer_chaos', 'sandbox', event_id, event_type, now(), 'gwe_chaos', 'gwe_chaos', now() FROM events
    RETURNING id)
  SELECT gateway_wake_worker() FROM deliveries LIMIT 1`

const END_LEASES = "UPDATE gateway_webhook_delivery SET locked_until = now() WHERE locked_until > now()"

/** Records everything: how often each event arrived, and whether it was the same each time. */
async function openReceiver() {
  const heard = { total: 0, events: new Map(), changed: 0, url: "", close: () => undefined }
  const server = createServer(async (request, response) => {
    const hash = createHash("sha1")
    for await (const chunk of request) {
      hash.update(chunk)
    }
    const id = request.headers["webhook-id"]
    const content = hash.digest("base64")
    heard.total += 1
    heard.changed += heard.events.has(id) && heard.events.get(id) !== content ? 1 : 0
    heard.events.set(id, content)
    response.end()
  })
  await new Promise((done) => server.listen(0, "localhost", done))
  heard.url = `http://localhost:${server.address().port}/`
  heard.close = () => {
    server.closeAllConnections()
    server.close()
  }
  return heard
}

async function until(holds, heard) {
  let last = { total: heard.total, at: Date.now() }
  while (!(await holds())) {
    if (heard.total !== last.total) {
      last = { total: heard.total, at: Date.now() }
    } else if (Date.now() - last.at > LONGEST_SILENCE_MS) {
      throw new Complaint(
        `Nothing has been delivered for ${LONGEST_SILENCE_MS / 1000} seconds, although there is something to deliver.`
      )
    }
    await sleep(1)
  }
}

async function rounds({ kills, each }, { client, databaseUrl, file, heard }) {
  let written = 0
  for (let kill = 1; kill <= kills; kill++) {
    const more = heard.events.size + 2 * each - written
    if (more > 0) {
      await client.query(EVENTS, [more])
      written += more
    }
    const worker = await startDispatcher(file, databaseUrl)
    const point = heard.total + Math.floor(Math.random() * 2 * each)
    await until(() => heard.total >= point || heard.events.size === written, heard)
    await worker.kill("SIGKILL")
    // Its leases would expire in a minute; no other running process holds one.
    await client.query(END_LEASES)
    if (kill % 10 === 0 || kill === kills) {
      say(`${kill} kills, ${heard.events.size} events delivered, ${heard.total - heard.events.size} repeated`)
    }
  }
  const last = await startDispatcher(file, databaseUrl)
  const pending = async () =>
    (await client.query("SELECT 1 FROM gateway_webhook_delivery WHERE state = 'pending' LIMIT 1")).rowCount
  await until(async () => (await pending()) === 0, heard)
  await last.kill("SIGTERM")
  return written
}

function verdict(written, heard) {
  const repeated = heard.total - heard.events.size
  const lost = written - heard.events.size
  const share = repeated / written
  say(
    `${written} events: ${lost} lost, ${repeated} repeated (${(share * 100).toFixed(3)} %), ${heard.changed} of them changed`
  )
  return lost === 0 && share <= MOST_REPEATED && heard.changed === 0 ? 0 : 1
}

await chaos({
  defaults: { kills: 500, each: 1600 },
  build: buildDispatcher,
  scenario: async ({ options, ...place }) => {
    const heard = await openReceiver()
    try {
      const { seal, SEALED } = await readSecretBox()
      const secret = seal(`whsec_${randomBytes(32).toString("base64")}`, SEALED.endpointSecret, "gwe_chaos")
      await place.client.query(MERCHANT, [heard.url, secret])
      return verdict(await rounds(options, { ...place, heard }), heard)
    } finally {
      heard.close()
    }
  },
})
