/** The tab's icon: a taka-green tile with a card. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#00634a"/><rect x="6" y="9.5" width="20" height="13" rx="2.5" fill="#fff"/><path d="M6 13h20v3H6z" fill="#00634a"/></svg>
`
