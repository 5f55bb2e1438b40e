import { messageOf, type Message } from "../../../i18n/message"
import { asciiDigits } from "../../../i18n/typed"
import { EMI_FEE_KINDS, EMI_METHODS, type EmiConfiguration } from "./rules"
import { either, fault, type FieldFailure } from "../kernel/errors"
import { LIMITS } from "../kernel/limits"
import { formatAmount, parseAmount, formatPercent, parsePercent, PERCENT_LIMITS } from "../kernel/money/money"
import { textOf } from "../kernel/text/text"

/** The settings that an admin decides; the gateway sets the rest. */
export type EmiSettings = Omit<EmiConfiguration, "uuid" | "revision"> & { is_active: boolean }

/** The fields' names in a request body and in the header of a CSV file. */
export const EMI_FIELDS = [
  "bank_name",
  "tenure",
  "interest_rate",
  "interest_method",
  "processing_fee_type",
  "processing_fee",
  "minimum_amount",
  "maximum_amount",
  "is_active",
  "merchant_bleeding",
  "card_prefixes",
] as const
export type EmiField = (typeof EMI_FIELDS)[number]
export type EmiFields = Partial<Record<EmiField, unknown>>

export const EMI_REQUIRED_FIELDS: readonly EmiField[] = ["bank_name", "tenure", "interest_rate"]

const DEFAULTS: EmiFields = {
  interest_method: "flat",
  processing_fee_type: "fixed",
  processing_fee: "0",
  minimum_amount: formatAmount(LIMITS.emiAmountMinMinor),
  maximum_amount: formatAmount(LIMITS.orderAmountMaxMinor),
  is_active: true,
  merchant_bleeding: false,
  card_prefixes: [],
}

const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/
const PREFIX = /^[0-9]{4,8}$/
const TRUE = ["true", "yes", "1"]
const FALSE = ["false", "no", "0"]

type Reading = { value: EmiSettings; failures: [] } | { value: null; failures: FieldFailure[] }

/** Parses a whole configuration; missing fields get their defaults. Decimals may be text or numbers, as everywhere. */
export function readEmiSettings(fields: EmiFields): Reading {
  const failures: FieldFailure[] = []
  const given = (field: EmiField): unknown => {
    const value = fields[field]
    return value === undefined || value === null || value === "" ? DEFAULTS[field] : value
  }
  /** The value a reader makes of a field, or null with what is wrong with it noted. */
  function read<Value>(field: EmiField, reader: (value: unknown) => Value | null, rule: Message): Value | null {
    const value = given(field)
    const result = value === undefined ? null : reader(value)
    if (result === null) {
      failures.push(fault(field, value === undefined ? messageOf("rule.required") : rule))
    }
    return result
  }

  const settings = {
    bank_name: read("bank_name", bankName, messageOf("rule.text_max", { max: LIMITS.emiBankNameMaxChars })),
    tenure_months: read(
      "tenure",
      tenure,
      messageOf("rule.months_within", { min: LIMITS.emiTenureMinMonths, max: LIMITS.emiTenureMaxMonths })
    ),
    rate_ppm: read(
      "interest_rate",
      parsePercent,
      messageOf("rule.percent_like", { ...PERCENT_LIMITS, example: "12.5" })
    ),
    method: read("interest_method", oneOf(EMI_METHODS), either(EMI_METHODS)),
    fee_kind: read("processing_fee_type", oneOf(EMI_FEE_KINDS), either(EMI_FEE_KINDS)),
    min_amount_minor: read("minimum_amount", amountWithin, RANGE),
    max_amount_minor: read("maximum_amount", amountWithin, RANGE),
    is_active: read("is_active", flag, messageOf("rule.flag")),
    merchant_absorbs: read("merchant_bleeding", flag, messageOf("rule.flag")),
    card_prefixes: read("card_prefixes", prefixes, messageOf("rule.card_prefixes")),
  }
  const [reader, rule] = settings.fee_kind === "percent" ? PERCENT_FEE : FIXED_FEE
  const fee_value = settings.fee_kind === null ? 0 : read("processing_fee", reader, rule)
  const { min_amount_minor: min, max_amount_minor: max } = settings
  if (min !== null && max !== null && min > max) {
    failures.push(fault("maximum_amount", messageOf("rule.not_below", { field: "minimum_amount" })))
  }
  return failures.length > 0
    ? { value: null, failures }
    : { value: { ...settings, fee_value } as EmiSettings, failures: [] }
}

/** The settings as fields again, so that a partial change can be merged and the whole parsed again. */
export function emiFields(settings: EmiSettings) {
  return {
    bank_name: settings.bank_name,
    tenure: settings.tenure_months,
    interest_rate: formatPercent(settings.rate_ppm),
    interest_method: settings.method,
    processing_fee_type: settings.fee_kind,
    processing_fee:
      settings.fee_kind === "fixed" ? formatAmount(settings.fee_value) : formatPercent(settings.fee_value),
    minimum_amount: formatAmount(settings.min_amount_minor),
    maximum_amount: formatAmount(settings.max_amount_minor),
    is_active: settings.is_active,
    merchant_bleeding: settings.merchant_absorbs,
    card_prefixes: settings.card_prefixes,
  } satisfies Record<EmiField, unknown>
}

const RANGE = messageOf("rule.amount_within", {
  min: formatAmount(LIMITS.emiAmountMinMinor),
  max: formatAmount(LIMITS.orderAmountMaxMinor),
})
const FIXED_FEE = [feeAmount, messageOf("rule.amount_below_largest_order")] as const
const PERCENT_FEE = [parsePercent, messageOf("rule.percent_decimals", PERCENT_LIMITS)] as const

function bankName(value: unknown): string | null {
  const name = typeof value === "string" ? value.trim().replace(/\s+/g, " ") : ""
  return name !== "" && name.length <= LIMITS.emiBankNameMaxChars && !CONTROL_CHARACTERS.test(name) ? name : null
}

function tenure(value: unknown): number | null {
  const text = textOf(value)
  const months = /^[0-9]{1,3}$/.test(text) ? Number(text) : NaN
  return months >= LIMITS.emiTenureMinMonths && months <= LIMITS.emiTenureMaxMonths ? months : null
}

function oneOf<Known extends string>(known: readonly Known[]) {
  return (value: unknown): Known | null => known.find((name) => name === textOf(value).toLowerCase()) ?? null
}

function amountWithin(value: unknown): number | null {
  const minor = parseAmount(value)
  const within = minor !== null && minor >= LIMITS.emiAmountMinMinor && minor <= LIMITS.orderAmountMaxMinor
  return within ? Number(minor) : null
}

function feeAmount(value: unknown): number | null {
  const minor = parseAmount(value)
  return minor !== null && minor <= LIMITS.orderAmountMaxMinor ? Number(minor) : null
}

function flag(value: unknown): boolean | null {
  const text = textOf(value).toLowerCase()
  return TRUE.includes(text) ? true : FALSE.includes(text) ? false : null
}

/** Prefixes as a list, or as text with spaces, bars or semicolons between them, as in a cell of a table. */
function prefixes(value: unknown): string[] | null {
  const list =
    typeof value === "string" || typeof value === "number"
      ? asciiDigits(textOf(value))
          // One more than there may be, and an empty one before the first: what follows is not looked at.
          .split(/[\s|;]+/, LIMITS.emiCardPrefixesMax + 2)
          .filter(Boolean)
      : value
  const valid =
    Array.isArray(list) && list.length <= LIMITS.emiCardPrefixesMax && list.every((entry) => PREFIX.test(textOf(entry)))
  return valid ? [...new Set(list.map(textOf))].sort() : null
}
