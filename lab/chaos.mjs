/*
 * npm run chaos                            kill -9 while webhooks are being delivered (lab/chaos/webhook-dispatch.mjs)
 * npm run chaos -- refunds                 kill -9 while money goes back (lab/chaos/refunds.mjs)
 * npm run chaos -- captures                kill -9 while money is captured and cash comes (lab/chaos/captures.mjs)
 * npm run chaos -- orders                  kill -9 at a whole store while its orders are paid (lab/chaos/orders.mjs)
 * npm run chaos -- settlements             kill -9 while settlement files are imported (lab/chaos/settlements.mjs)
 * npm run chaos -- billing                 kill -9 while subscriptions are being billed (lab/chaos/billing.mjs)
 * npm run chaos -- acquirers               kill -9 while acquirers are paying (lab/chaos/acquirers.mjs)
 * npm run chaos -- bad-day                 an acquirer is down, slow or refusing while shoppers pay (lab/chaos/bad-day.mjs)
 * npm run chaos -- hostile                 what strangers may try, at a store in production mode (lab/chaos/hostile.mjs)
 * npm run chaos -- cluster                 kill -9 at a whole deployment: proxy, pooler, database (lab/chaos/cluster.mjs)
 * npm run chaos -- refunds --kills 20      what follows the name is the program's own
 */
const PROGRAMS = {
  webhooks: "./chaos/webhook-dispatch.mjs",
  refunds: "./chaos/refunds.mjs",
  captures: "./chaos/captures.mjs",
  orders: "./chaos/orders.mjs",
  settlements: "./chaos/settlements.mjs",
  billing: "./chaos/billing.mjs",
  acquirers: "./chaos/acquirers.mjs",
  "bad-day": "./chaos/bad-day.mjs",
  hostile: "./chaos/hostile.mjs",
  cluster: "./chaos/cluster.mjs",
}

const [name] = process.argv.slice(2)
const program = Object.hasOwn(PROGRAMS, name ?? "") ? process.argv.splice(2, 1)[0] : "webhooks"
await import(PROGRAMS[program])
