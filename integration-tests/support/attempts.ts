import { redirect, storeAsks, type ScriptedAcquirer } from "./acquirer"
import { gatewayOf, newMerchant, type ApiMerchant, type Data } from "./api"
import { CARD, post, visit } from "./pages"
import type { Store } from "./store"

export const DECLINED = "4000000000000002"
const ON_PAGE = { method: "mobile_banking", payment_service: "BKASH" } as const
/** A session's life and a little. */
export const SESSION_SECONDS = 1_801

/** Attempts to pay in a store in this process, whose acquirers the tests script (`storeAsks`). */
export function useAttempts(store: Store) {
  afterEach(() => {
    jest.restoreAllMocks()
  })

  const pageOf = ({ session_id }: Pick<Data, "session_id">) => `${store.url}/pay/${session_id}`
  const pathOf = ({ session_id }: Pick<Data, "session_id">) => `/pay/${session_id}`
  const transaction = ({ transaction_id: id }: Data) => store.db("gateway_transaction").where({ id }).first()
  const attempts = ({ transaction_id }: Data) =>
    store.db("gateway_payment_attempt").where({ transaction_id }).orderBy("number")
  const states = async (opened: Data) => (await attempts(opened)).map(({ state }) => state as string)
  const types = async (owner: ApiMerchant, { transaction_id }: Data) =>
    (await owner.events(transaction_id)).map(({ event_type }) => event_type)
  /** The entries of one kind, as account and amount in poisha. */
  const payments = async (kind: string, { transaction_id }: Data) =>
    (await store.db("gateway_ledger_entry").where({ transaction_id, kind }).orderBy("account")).map(
      ({ account, amount_minor }) => [account, Number(amount_minor)]
    )
  const audited = (action: string, { transaction_id }: Data) =>
    store.db("gateway_audit_entry").where({ resource_id: transaction_id, action })

  /** Opens the page and posts its form, as a browser does. */
  async function payOnPage(opened: Data, fields: Record<string, string>) {
    const page = pageOf(opened)
    return post(page, await visit(page), fields)
  }
  const byCard = (opened: Data, card_number = CARD.card_number) => payOnPage(opened, { ...CARD, card_number })

  async function leave(opened: Data) {
    const page = pageOf(opened)
    return post(`${page}/leave`, await visit(page), {})
  }

  async function allow(owner: ApiMerchant, payment_attempts: number): Promise<void> {
    await store.db("gateway_merchant_environment").where({ merchant_id: owner.id }).update({ payment_attempts })
  }

  const begin = (opened: Data) =>
    gatewayOf(store).payments.pay({ session_id: opened.session_id, instrument: ON_PAGE, page_url: pageOf(opened) })

  /** A checkout whose shopper is on the acquirer's page. The card is the sandbox's own acquirer's. */
  async function onAcquirersPage(
    acquirer: ScriptedAcquirer,
    owner?: ApiMerchant,
    changes: Record<string, unknown> = {}
  ) {
    const merchant = owner ?? (await newMerchant(store))
    storeAsks({ BKASH: acquirer })
    const opened = await merchant.open(changes)
    const outcome = await begin(opened)
    expect(outcome).toMatchObject({ status: "PENDING", redirect_url: redirect().url })
    return { owner: merchant, opened }
  }

  /** Asks the acquirer about the attempts of a merchant, as the reconciler does once they are due. */
  async function reconcile(owner: ApiMerchant): Promise<void> {
    await store
      .db("gateway_payment_attempt")
      .where({ merchant_id: owner.id })
      .whereNotNull("inquiry_at")
      .update({ inquiry_at: new Date(0) })
    await gatewayOf(store).reconciliation.run(50, { merchant_id: owner.id, until: new Date() })
  }

  return {
    ...{ pageOf, pathOf, transaction, attempts, states, types, payments, audited },
    ...{ payOnPage, byCard, leave, allow, begin, onAcquirersPage, reconcile },
  }
}

/** What an acquirer was asked to give back. */
export const given = (acquirer: ScriptedAcquirer) => acquirer.refunds.filter((call) => call.startsWith("asked for"))
