/** Connections of the port of the metrics, which no other port takes: it stays usable while they are full. */
export const SCRAPER_CONNECTIONS = 16
