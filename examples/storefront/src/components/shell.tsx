import { fill, h, type View } from "../lib/dom"
import { whole } from "../lib/format"
import { href } from "../lib/router"
import { onAccount } from "../store/account"
import { itemCount, onCart } from "../store/cart"
import { language, switchLanguage, t } from "../text"
import { CartIcon, PersonIcon } from "./icons"

/** Header, footer and the element for screens: `<main id="main">`. */
export function Shell(): View {
  const otherLanguage = language === "bn" ? "en" : "bn"
  return (
    <div class="shell">
      <button class="skip" type="button" onClick={focusMain}>
        {t.skipToContent}
      </button>
      <header class="header">
        <a class="brand" href={href("/")}>
          <img src="./images/logo.svg" alt="" width="32" height="32" />
          <span>{t.shopName}</span>
        </a>
        <button class="text-button" type="button" lang={otherLanguage} onClick={() => switchLanguage(otherLanguage)}>
          {t.otherLanguage}
        </button>
        <AccountLink />
        <CartLink />
      </header>
      <main id="main" tabindex="-1" />
      <footer class="footer">
        <p>{t.footer}</p>
      </footer>
    </div>
  )
}

function AccountLink(): View {
  const label = <span class="account-label" />
  const link = (
    <a class="account-link" href={href("/account")}>
      <PersonIcon />
      {label}
    </a>
  )
  onAccount((signedIn) => fill(label, signedIn ? t.account.link : t.account.linkSignIn))
  return link
}

function CartLink(): View {
  const badge = <span class="badge" hidden aria-hidden="true" />
  const link = (
    <a class="cart-link" href={href("/cart")} aria-label={t.cartLink(0)}>
      <CartIcon />
      {badge}
    </a>
  )
  onCart((cart) => {
    const count = itemCount(cart)
    badge.toggleAttribute("hidden", count === 0)
    fill(badge, whole(count))
    link.setAttribute("aria-label", t.cartLink(count))
  })
  return link
}

// The hash is the route, so an ordinary <a href="#main"> would leave the screen.
function focusMain(): void {
  document.getElementById("main")?.focus()
}
