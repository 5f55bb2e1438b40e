/** The number an invoice shows, and the contract's `invoice_id` (2.12): unique and without gaps within an environment. */
export function invoiceId(number: number): string {
  return `INV-${String(number).padStart(6, "0")}`
}

const INVOICE_ID = /^INV-0*([1-9][0-9]{0,9})$/i

/** The number behind an invoice_id, or null when it is none. */
export function invoiceNumber(id: string): number | null {
  const match = INVOICE_ID.exec(id)
  return match === null ? null : Number(match[1])
}
