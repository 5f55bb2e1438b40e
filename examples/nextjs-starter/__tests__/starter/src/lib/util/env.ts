export const getBaseURL = () => process.env.NEXT_PUBLIC_BASE_URL || "http://localhost:8000"
