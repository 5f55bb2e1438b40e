export const CreditCard = () => <svg />
