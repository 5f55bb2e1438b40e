/**
 * What Medusa's own components lack on a phone. A toast is 360 pixels wide there, and lies on the buttons of a drawer's
 * foot: it takes the width that there is, at the top. A confirmation touches both edges. Four levels of breadcrumbs run
 * under the icons of the header: the first ones go. None of these components takes a class from a page.
 */
const STYLE = `
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

export const PhoneStyle = () => <style>{STYLE}</style>
