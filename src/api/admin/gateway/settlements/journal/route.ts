import { textGroup, textsOf } from "../../../../../i18n/translate"
import { formatAmount, type Minor } from "../../../../../modules/gateway/kernel/money/money"
import { csvText } from "../../../../../modules/gateway/kernel/text/csv"
import { sendCsv, type Parts } from "../../../../admin-kit/csv"
import { guarded, tenantContext, type TenantContext } from "../../../../admin-kit/endpoint"
import { readMonth } from "../months/resource"

const COLUMNS = ["date", "account_number", "account", "debit", "credit", "currency", "reference", "text"] as const

/** The journal of a `source`'s `month` as CSV for a program of accounting: amounts without separators, days as ISO 8601. */
export const GET = guarded(async (request, response) => {
  const context = await tenantContext(request)
  const { source, month } = readMonth(context.query)
  const file = `journal-${source.replace(/[^a-zA-Z0-9_-]+/g, "-")}-${context.tenant.environment}-${month}.csv`
  return sendCsv(request, response, file, parts(context, source, month))
})

function parts({ gateway, tenant, language }: TenantContext, source: string, month: string): Parts {
  const words = textsOf("settlements", language)
  const names = textGroup("settlements", "accounts", language)
  const kinds = textGroup("settlements", "kinds", language)
  const amount = (minor: Minor) => (minor === 0n ? "" : formatAmount(minor))
  return async function* read(signal) {
    const accounts = await gateway.settlementJournal.accounts(tenant)
    const numbers = new Map(accounts.map(({ account, number }) => [account, number ?? ""]))
    yield csvText([COLUMNS.map((name) => words(`columns.${name}`))])
    for await (const rows of gateway.settlementJournal.journal(tenant, source, month, signal)) {
      yield csvText(
        rows.map(({ date, account, debit, credit, currency, reference, kind }) => [
          date,
          numbers.get(account) ?? "",
          names[account],
          amount(debit),
          amount(credit),
          currency,
          reference,
          kinds[kind],
        ])
      )
    }
  }
}
