type EmiMethod = "flat" | "reducing"
type EmiFeeType = "fixed" | "percent"

/** The fields that an admin edits; decimals are text. */
export type EmiFields = {
  bank_name: string
  tenure: string
  interest_rate: string
  interest_method: EmiMethod
  processing_fee_type: EmiFeeType
  processing_fee: string
  minimum_amount: string
  maximum_amount: string
  is_active: boolean
  merchant_bleeding: boolean
  card_prefixes: string
}

export type EmiConfiguration = Omit<EmiFields, "tenure" | "card_prefixes"> & {
  id: string
  tenure: number
  card_prefixes: string[]
  archived_at: string | null
}

export type EmiOffer = {
  uuid: string
  bank_name: string
  tenure: string
  interest_rate: string
  monthly_installment: string
  total_amount: string
  total_interest: string
  processing_fee: string
  merchant_bleeding: boolean
}
