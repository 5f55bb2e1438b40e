import { CreditCard } from "@medusajs/icons"
import { forwardRef, useEffect, useMemo, type ReactNode } from "react"
import { Link as RouterLink, type LinkProps, Navigate, useHref } from "react-router-dom"
import { useFrame } from "../admin-api"
import { areaOfPage, hidingStyle, pagesFor } from "../pages"
import { definePaymentSearch } from "../payments/search"
import { useMayOpen } from "../use"

/** What makes a text look as if it could be pressed. */
const LOOK_OF_A_LINK = /\S*(?:hover:|text-ui-fg-interactive)\S*/g

/**
 * A link to a page; `otherwise`, or else the bare text, where the admin may not read that page. A text like "Open" needs
 * it: on its own it says nothing.
 */
export const Link = forwardRef<HTMLAnchorElement, LinkProps & { to: string; otherwise?: ReactNode }>(function Link(
  { otherwise, ...props },
  ref
) {
  const mayOpen = useMayOpen()
  return mayOpen(props.to) ? (
    <RouterLink ref={ref} {...props} />
  ) : (
    <>{otherwise ?? <span className={props.className?.replace(LOOK_OF_A_LINK, "")}>{props.children}</span>}</>
  )
})

/** The overview, which the menu's first entry leads to: who may not read it gets the first page that they may read. */
export const OverviewOrFirstPage = ({ children }: { children: ReactNode }) => {
  const { data: frame } = useFrame()
  const [first] = pagesFor(frame?.readable_areas ?? []).open
  return first === undefined || areaOfPage(first) === "overview" ? <>{children}</> : <Navigate to={first} replace />
}

/** Nothing is hidden until it is known what the admin may read: the menu of one with all rights must not flicker. */
function useHiddenPages(): readonly string[] {
  const { data: frame, error } = useFrame({ kept: true })
  const isRefused = error?.status === 403
  const readable = isRefused ? [] : frame?.readable_areas
  return useMemo(() => (readable === undefined ? [] : pagesFor(readable).hidden), [isRefused, frame])
}

/**
 * What Medusa's own components lack on a phone. A toast is 360 pixels wide there, and lies on the buttons of a drawer's
 * foot: it takes the width that there is, at the top. A confirmation touches both edges. Four levels of breadcrumbs run
 * under the icons of the header: the first ones go. None of these components takes a class from a page.
 */
const PHONE_STYLE = `
@media (max-width: 600px) {
  [data-sonner-toaster] { inset: 8px 16px auto !important; width: auto !important; }
  [data-sonner-toast] {
    inset: 0 0 auto !important;
    width: 100% !important;
    --lift: 1 !important;
    --lift-amount: var(--gap) !important;
  }
  [data-sonner-toast] > div { width: 100%; min-width: 0; max-width: none; }
  [role="alertdialog"] { width: calc(100% - 32px); }
  body:has([data-gateway-admin]) ol.select-none > li:nth-last-child(n + 4) { display: none; }
}`

/**
 * The icon of the gateway in Medusa's sidebar, where RouteConfig of Medusa 2.21.2 has no condition for an entry. The
 * sidebar renders the icon on every page, inside its providers: with it comes the style that takes the pages out of the
 * menu which the admin may not read, for keyboards and screen readers too. Without any page the whole entry goes.
 * With it also comes the style for phones: our toasts and confirmations stand on Medusa's pages too.
 */
export const GatewayIcon = () => {
  const hidden = useHiddenPages()
  const root = useHref("/")
  const mayReadPayments = !hidden.includes("/gateway/payments")
  useEffect(() => definePaymentSearch(mayReadPayments), [mayReadPayments])
  return (
    <>
      <CreditCard data-gateway-menu />
      <style>{PHONE_STYLE}</style>
      {hidden.length > 0 && <style data-gateway-hidden>{hidingStyle(hidden, root.replace(/\/$/, ""))}</style>}
    </>
  )
}
