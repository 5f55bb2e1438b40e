import { Container, I18nProvider, Select, Text } from "@medusajs/ui"
import type { ReactNode } from "react"
import { useLocation } from "react-router-dom"
import { useFrame, useTenant, type Environment } from "../admin-api"
import { useTenantState } from "../data"
import { useLocale, useText } from "../text"
import { useLeavingQuestion } from "./leaving"
import { ErrorState, Loading } from "./section"

/** Every page of the admin: the merchant and environment above the page's own sections. */
export const AdminPage = ({ children }: { children: ReactNode }) => {
  const { data, error, refetch } = useFrame()
  const { tenant } = useTenant()
  const locale = useLocale()
  const { pathname } = useLocation()
  useLeavingQuestion()
  if (data === undefined || tenant === null) {
    return (
      <Container className="p-0">
        {error === null ? <Loading /> : <ErrorState error={error} retry={() => void refetch()} />}
      </Container>
    )
  }
  // Medusa's own provider has no Bangla: without this one its calendars would be in English.
  return (
    <I18nProvider locale={locale}>
      {/* Isolated: the bar is above this page's tables, and below every dialog. */}
      <div lang={locale} className="isolate flex flex-col gap-y-3" data-gateway-admin>
        {tenant.environment === "sandbox" && <TestModeBar />}
        <TenantBar />
        {/* The key remounts the page for another merchant, environment or payment: no drawer or draft carries over. */}
        <div key={`${tenant.merchant_id}/${tenant.environment}${pathname}`} className="flex flex-col gap-y-3">
          {children}
        </div>
      </div>
    </I18nProvider>
  )
}

/** Over every page of the sandbox, and always in sight: nothing here is real money. */
const TestModeBar = () => {
  const say = useText()
  return (
    <div
      role="note"
      aria-label={say("common.test_mode")}
      className="bg-ui-tag-orange-bg border-ui-tag-orange-border text-ui-tag-orange-text txt-compact-small sticky top-0 z-10 rounded-md border px-3 py-1.5 text-center"
    >
      <strong>{say("common.test_mode")}</strong>
      {` · ${say("common.test_mode_text")}`}
    </div>
  )
}

const TenantBar = () => {
  const { data: frame } = useFrame()
  const { tenant, choose } = useTenant()
  const state = useTenantState()
  const say = useText()
  if (frame === undefined || tenant === null) {
    return null
  }
  const environments: Environment[] = ["sandbox", "production"]
  return (
    <div className="flex flex-wrap items-center gap-2">
      {frame.merchants.length > 1 && (
        <Select size="small" value={tenant.merchant_id} onValueChange={(merchant_id) => choose({ merchant_id })}>
          <Select.Trigger aria-label={say("common.merchant")} className="w-48 sm:w-56">
            <Select.Value />
          </Select.Trigger>
          <Select.Content>
            {frame.merchants.map(({ id, number, name }) => (
              <Select.Item key={id} value={id}>
                {say("common.merchant_named", { name, number: String(number) })}
              </Select.Item>
            ))}
          </Select.Content>
        </Select>
      )}
      <Select
        size="small"
        value={tenant.environment}
        onValueChange={(environment) => choose({ environment: environment as Environment })}
      >
        <Select.Trigger aria-label={say("common.environment")} className="w-32 sm:w-36">
          <Select.Value />
        </Select.Trigger>
        <Select.Content>
          {environments.map((environment) => (
            <Select.Item key={environment} value={environment}>
              {say(`common.${environment}`)}
            </Select.Item>
          ))}
        </Select.Content>
      </Select>
      {state?.has_acquirer === false && (
        <Text size="small" className="text-ui-fg-subtle">
          {say("common.no_acquirer")}
        </Text>
      )}
    </div>
  )
}
