/** Every schedule on one page: task, cron expression (UTC), what it does. */
export const CRONTAB: readonly { task: string; cron: string; purpose: string }[] = [
  {
    task: "bill-subscriptions",
    cron: "* * * * *",
    purpose: "charge what is due, tell of trials that end, end what has ended",
  },
  { task: "expire-sessions", cron: "* * * * *", purpose: "end unpaid sessions whose time is up" },
  { task: "reconcile-payments", cron: "* * * * *", purpose: "ask acquirers about payments of unknown outcome" },
  { task: "reconcile-refunds", cron: "* * * * *", purpose: "ask acquirers about refunds that are not finished" },
  {
    task: "work-off-refund-batches",
    cron: "* * * * *",
    purpose: "carry out the refunds of batches that a wake-up missed",
  },
  {
    task: "check-ledger",
    cron: "* * * * *",
    purpose: "log an error when the money of the last minutes does not add up",
  },
  { task: "check-whole-ledger", cron: "7 22 * * *", purpose: "log an error when any money does not add up" },
  { task: "complete-paid-carts", cron: "* * * * *", purpose: "give a paid cart its order, or its money back" },
  {
    task: "settle-remote-payments",
    cron: "* * * * *",
    purpose: "ask another deployment's gateway about payments nobody has told of",
  },
  {
    task: "sync-order-refunds",
    cron: "* * * * *",
    purpose: "bring Medusa's orders in line with refunds made or failed elsewhere",
  },
  {
    task: "sweep-refund-rows",
    cron: "*/10 * * * *",
    purpose: "take Medusa's refunds off that no process lived to ask for",
  },
  { task: "send-invoice-mails", cron: "* * * * *", purpose: "send invoices and their reminders" },
  { task: "process-returns", cron: "* * * * *", purpose: "propose refunds for returns, claims and cancelled orders" },
  {
    task: "fold-counters",
    cron: "* * * * *",
    purpose: "add up what triggers have appended to the counters of lists and of the overview",
  },
  {
    task: "notify-disabled-endpoints",
    cron: "*/5 * * * *",
    purpose: "tell merchants by e-mail of endpoints that were disabled",
  },
  {
    task: "notify-refunded-customers",
    cron: "* * * * *",
    purpose: "tell customers by e-mail that their money has gone back",
  },
  {
    task: "notify-skipped-customers",
    cron: "* * * * *",
    purpose: "tell shoppers by e-mail of periods that were skipped",
  },
  { task: "purge-events", cron: "41 20 * * *", purpose: "forget events older than 90 days" },
  {
    task: "notify-payment-sessions",
    cron: "* * * * *",
    purpose: "tell Medusa's payment sessions that nothing was paid",
  },
  { task: "purge-idempotency-keys", cron: "17 * * * *", purpose: "forget answers older than 24 hours" },
  {
    task: "erase-rotated-secrets",
    cron: "27 * * * *",
    purpose: "erase webhook and IPN secrets that no longer sign along",
  },
  { task: "purge-request-log", cron: "47 * * * *", purpose: "forget requests older than the log's days" },
  { task: "purge-sandbox", cron: "23 21 * * 5", purpose: "forget sandbox data older than seven days" },
]
