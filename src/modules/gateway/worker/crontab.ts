/** `by` is who does it: the core's own services (tasks.ts), or the store's side through its port (src/store). */
type Schedule = { task: string; cron: string; by: "core" | "store"; purpose: string }

/** Every schedule on one page: task, cron expression (UTC), what it does. */
export const CRONTAB = [
  {
    task: "bill-subscriptions",
    cron: "* * * * *",
    by: "core",
    purpose: "charge what is due, notify of trials that end, end what has ended",
  },
  {
    task: "expire-sessions",
    cron: "* * * * *",
    by: "core",
    purpose: "end unpaid sessions whose time is up, or whose link is disabled",
  },
  {
    task: "reconcile-payments",
    cron: "* * * * *",
    by: "core",
    purpose: "ask acquirers about payments and captures of unknown outcome, and let go of money that is not taken",
  },
  {
    task: "reconcile-refunds",
    cron: "* * * * *",
    by: "core",
    purpose: "ask acquirers about refunds that are not finished",
  },
  {
    task: "follow-disputes",
    cron: "* * * * *",
    by: "core",
    purpose: "remind of disputes' deadlines, mark missed ones, and ask acquirers about open disputes",
  },
  {
    task: "forget-removed-methods",
    cron: "* * * * *",
    by: "core",
    purpose: "make acquirers forget payment methods that were removed",
  },
  {
    task: "work-off-refund-batches",
    cron: "* * * * *",
    by: "core",
    purpose: "carry out the refunds of batches that a wake-up missed",
  },
  {
    task: "check-ledger",
    cron: "* * * * *",
    by: "core",
    purpose: "log an error when the money of the last minutes does not add up",
  },
  {
    task: "check-whole-ledger",
    cron: "7 22 * * *",
    by: "core",
    purpose: "log an error when any money does not add up",
  },
  {
    task: "complete-paid-carts",
    cron: "* * * * *",
    by: "store",
    purpose: "give a paid cart its order, or its money back",
  },
  {
    task: "follow-cash-orders",
    cron: "* * * * *",
    by: "store",
    purpose: "place orders that are paid in cash, and bring Medusa's captures in line with the cash that came",
  },
  {
    task: "sync-order-refunds",
    cron: "* * * * *",
    by: "store",
    purpose: "bring Medusa's orders in line with the gateway's refunds",
  },
  {
    task: "sync-order-captures",
    cron: "* * * * *",
    by: "store",
    purpose: "bring Medusa's orders and captures in line with each other, and capture what is sent",
  },
  {
    task: "sweep-refund-rows",
    cron: "*/10 * * * *",
    by: "store",
    purpose: "remove refunds of Medusa whose process died before it asked for them",
  },
  {
    task: "return-verifications",
    cron: "* * * * *",
    by: "core",
    purpose: "give back what was taken to verify a subscription's new payment method",
  },
  {
    task: "send-portal-links",
    cron: "* * * * *",
    by: "core",
    purpose: "e-mail customers the links that they asked for",
  },
  { task: "purge-portal-sessions", cron: "7 21 * * *", by: "core", purpose: "delete portal links that ended long ago" },
  { task: "send-invoice-mails", cron: "* * * * *", by: "core", purpose: "send invoices and their reminders" },
  {
    task: "send-receipts",
    cron: "* * * * *",
    by: "core",
    purpose: "send receipts of payments and refunds, and e-mails about cancellations",
  },
  {
    task: "process-returns",
    cron: "* * * * *",
    by: "store",
    purpose: "propose refunds for returns, claims and cancelled orders",
  },
  {
    task: "fold-counters",
    cron: "* * * * *",
    by: "core",
    purpose: "add up what triggers have appended to the counters of lists and of the overview",
  },
  {
    task: "number-events",
    cron: "* * * * *",
    by: "core",
    purpose: "give events that nobody reads one after the other their place in the order of reading",
  },
  {
    task: "run-hooks",
    cron: "* * * * *",
    by: "store",
    purpose: "call the host's hooks: an order of a renewal, a proposed refund, a cancelled subscription",
  },
  {
    task: "notify-disabled-endpoints",
    cron: "*/5 * * * *",
    by: "store",
    purpose: "e-mail merchants about disabled webhook endpoints",
  },
  {
    task: "notify-disputed-merchants",
    cron: "* * * * *",
    by: "store",
    purpose: "e-mail merchants about disputes and their deadlines",
  },
  {
    task: "warn-of-ending-authorizations",
    cron: "* * * * *",
    by: "store",
    purpose: "e-mail merchants before money that was reserved for them is lost",
  },
  {
    task: "notify-skipped-customers",
    cron: "* * * * *",
    by: "store",
    purpose: "e-mail shoppers about skipped periods",
  },
  {
    task: "make-partitions",
    cron: "37 * * * *",
    by: "core",
    purpose: "make the partitions of the months and days ahead, and move into theirs what had none",
  },
  {
    task: "move-checkpoints",
    cron: "57 * * * *",
    by: "core",
    purpose: "add up the ledger's last hour, so that checks need not read its past",
  },
  {
    task: "purge-events",
    cron: "41 20 * * *",
    by: "core",
    purpose: "drop months of events that are older than 90 days",
  },
  {
    task: "notify-payment-sessions",
    cron: "* * * * *",
    by: "store",
    purpose: "write on Medusa's payment sessions that nothing was paid",
  },
  { task: "purge-idempotency-keys", cron: "17 * * * *", by: "core", purpose: "delete answers older than 24 hours" },
  {
    task: "erase-rotated-secrets",
    cron: "27 * * * *",
    by: "core",
    purpose: "erase old webhook and IPN secrets that no longer sign deliveries",
  },
  {
    task: "purge-request-log",
    cron: "47 * * * *",
    by: "core",
    purpose: "drop days of requests older than the log's days",
  },
  { task: "purge-sandbox", cron: "23 21 * * 5", by: "core", purpose: "delete sandbox data older than seven days" },
] as const satisfies readonly Schedule[]

export type TaskName = (typeof CRONTAB)[number]["task"]
export type StoreTaskName = Extract<(typeof CRONTAB)[number], { by: "store" }>["task"]
export type CoreTaskName = Exclude<TaskName, StoreTaskName>
