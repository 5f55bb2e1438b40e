import type { ReactElement } from "react"
import { CreditCard } from "./icons"

export const paymentInfoMap: Record<string, { title: string; icon: ReactElement }> = {
  pp_other_other: { title: "Other", icon: <CreditCard /> },
  pp_system_default: {
    title: "By hand",
    icon: <CreditCard />,
  },
}

export const isManual = (providerId?: string) => providerId?.startsWith("pp_system_default")
